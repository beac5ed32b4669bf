import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleBrowserCode } from './bundle-browser-code.ts'

test(
  'React is read in by itself: a file of its own, and none of it in the others',
  { timeout: 60_000 },
  async () => {
    const { script, files } = await bundleBrowserCode(join(import.meta.dirname, '../..'))
    const ofReact = (code: string) => code.includes('reconcilerVersion')
    const [react, ...others] = Object.entries(files).toSorted(([, a], [, b]) => b.length - a.length)
    expect(react?.[0]).toMatch(/^react-/)
    expect(ofReact(react?.[1] ?? '')).toBe(true)
    expect(others.filter(([, code]) => ofReact(code))).toEqual([])
    expect(others.map(([name]) => `/assets/${name}`)).toContain(script)
  },
)
