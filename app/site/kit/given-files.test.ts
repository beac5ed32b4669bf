import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { asShown } from './as-shown.ts'
import { readOwn } from './given-files.ts'

const script = '//@version=6\n// Version 2.0.0, 2026-12-01\nindicator("Mine")\n'

test("a file of the owner's own is given away unchanged", () => {
  const folder = folderWith({ 'mine.pine': script, 'mine.pdf': '%PDF-1.7 mine' })
  expect(readOwn({ name: 'mine.pine', isYourOwn: true }, '.pine', folder)?.toString()).toBe(script)
  expect(readOwn({ name: 'mine.pdf', isYourOwn: true }, '.pdf', folder)?.toString()).toBe(
    '%PDF-1.7 mine',
  )
})

test('a script written on Windows is shown without byte order mark and carriage returns', () => {
  expect(asShown(Buffer.from('\uFEFF//@version=6\r\nplot(1)\r\n'))).toBe('//@version=6\nplot(1)\n')
})

test('without a file of their own, none is read', () => {
  expect(readOwn({ name: 'ours.pine', isYourOwn: false }, '.pine', folderWith({}))).toBeUndefined()
})

test.each([
  { what: 'is not there', files: {}, name: 'mine.pine', said: 'there is no content/kit/mine.pine' },
  {
    what: 'has no version',
    files: { 'mine.pine': 'x' },
    name: 'mine.pine',
    said: 'content/kit/mine.pine has no version line',
  },
  {
    what: 'is not a PDF',
    files: { 'mine.pdf': 'x' },
    name: 'mine.pdf',
    said: 'content/kit/mine.pdf is not a PDF',
  },
  {
    what: 'has a name that is unsafe in a header',
    files: {},
    name: 'my "bot".pine',
    said: 'must be made of letters',
  },
  {
    what: 'has a name outside its folder',
    files: {},
    name: '../mine.pine',
    said: 'must be made of letters',
  },
  { what: 'has another ending', files: {}, name: 'mine.txt', said: 'with .pine at the end' },
])('the owner is told what is wrong with a file that $what', ({ files, name, said }) => {
  const ending = name.endsWith('.pdf') ? '.pdf' : '.pine'
  expect(() => readOwn({ name, isYourOwn: true }, ending, folderWith(files))).toThrow(said)
})

test('a file in the folder that content/kit.ts does not use is reported', () => {
  const folder = folderWith({ 'mine.pine': script })
  expect(() => readOwn({ name: 'mine.pine', isYourOwn: false }, '.pine', folder)).toThrow(
    'isYourOwn: true',
  )
})

function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
