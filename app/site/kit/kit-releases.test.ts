import { expect, test } from 'vitest'
import { kitReleases } from './kit-files.ts'

const script = '// Version 1.1.0, 2026-11-22\n'
const first = { version: '1.0.0', date: '2026-11-21', changes: [] }
const newest = { version: '1.1.0', date: '2026-11-22', changes: ['It is faster.'] }

test('the newest release must have the version of the script', () => {
  expect(kitReleases(script, [newest, first], false)).toEqual([newest, first])
  for (const listed of [[first], [], [{ ...newest, version: '1.2.0' }, newest]]) {
    expect(() => kitReleases(script, listed, false)).toThrow(
      expect.objectContaining({ name: 'ContentError', message: expect.stringContaining('1.1.0') }),
    )
  }
})

test('a release may have a day to come, and no day that does not exist or that is out of order', () => {
  const on = (date: string) => kitReleases(script, [{ ...newest, date }, first], false)
  expect(on('2999-12-31')).toHaveLength(2)
  expect(() => on('2026-13-01')).toThrow('must be a day')
  expect(() => on('tomorrow')).toThrow('must be a day')
  expect(() => on('2026-11-20')).toThrow('its date is earlier')
})

test("releases of our script are not those of the owner's own script", () => {
  expect(kitReleases('// Version 1.1.0, 2027-01-01\n', [newest, first], true)).toEqual([])
  expect(kitReleases('// Version 3.0.0, 2026-11-22\n', [newest, first], true)).toEqual([])
  expect(kitReleases(script, [newest, first], true)).toEqual([newest, first])
})
