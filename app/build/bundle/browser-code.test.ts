import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleBrowserCode } from './browser-code.ts'

test('React is in a separate file, which the landing page names beside its entry; the personal page loads none of it', async () => {
  const { modules, files, startScript } = await bundleBrowserCode(
    join(import.meta.dirname, '../../..'),
  )
  const ofReact = (code: string) => code.includes('reconcilerVersion')
  const [react, ...others] = Object.entries(files).toSorted(([, a], [, b]) => b.length - a.length)
  expect(react?.[0]).toMatch(/^react-/)
  expect(ofReact(react?.[1] ?? '')).toBe(true)
  expect(others.filter(([, code]) => ofReact(code))).toEqual([])
  expect(modules['landing-page']).toEqual([
    expect.stringMatching(/^\/assets\/landing-page-.*\.js$/),
    `/assets/${react?.[0]}`,
  ])
  expect(others.map(([name]) => `/assets/${name}`).toSorted()).toEqual([
    modules['landing-page'][0],
    expect.stringMatching(/^\/assets\/not-found-.*\.js$/),
    ...modules['personal-page'],
    ...modules['small-page'],
    expect.stringMatching(/^\/assets\/try-lengths-.*\.js$/),
  ])
  expect(startScript).not.toMatch(/assets|landing-page/)
})
