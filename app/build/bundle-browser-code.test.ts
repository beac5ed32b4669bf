import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleBrowserCode } from './bundle-browser-code.ts'

test(
  'React is in a separate file, and the page names that file and its entry',
  { timeout: 60_000 },
  async () => {
    const { modules, files, startScript } = await bundleBrowserCode(join(import.meta.dirname, '../..'))
    const ofReact = (code: string) => code.includes('reconcilerVersion')
    const [react, ...others] = Object.entries(files).toSorted(([, a], [, b]) => b.length - a.length)
    expect(react?.[0]).toMatch(/^react-/)
    expect(ofReact(react?.[1] ?? '')).toBe(true)
    expect(others.filter(([, code]) => ofReact(code))).toEqual([])
    expect(modules).toHaveLength(2)
    expect(others.map(([name]) => `/assets/${name}`)).toEqual([modules[0]])
    expect(modules[1]).toBe(`/assets/${react?.[0]}`)
    expect(startScript).not.toMatch(/assets|hydrate-page/)
  },
)
