import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { readLetterFile } from './letter-file.ts'

test.each([
  ['\uFEFF---\r\nsubject: News\r\n---\r\nHello\r\n', 'News', 'Hello'],
  [
    "---\nto: consented\nSubject:  'Old  news' \n---\n\n---\nsubject: no\n---\n",
    'Old news',
    '---\nsubject: no\n---',
  ],
  ['---\nsubject: "News"\n---\nHello', 'News', 'Hello'],
  [`---\nsubject: "Q" and "A"'\n---\nHello`, `"Q" and "A"'`, 'Hello'],
])('the file %j is read', async (content, subject, text) => {
  expect(await readLetterFile(fileOf(content), noPicture)).toEqual({
    name: 'june',
    subject,
    preview: '',
    words: text,
    to: 'consented',
    campaigns: null,
  })
})

test('blank lines at the top of a file are left out, and its name ends before its ending', async () => {
  const file = fileOf('---\n\n  \nsubject: News\ncampaigns: youtube, none\n---\nHello', 'a.mdx.md')
  expect(await readLetterFile(file, noPicture)).toMatchObject({
    name: 'a.mdx',
    subject: 'News',
    campaigns: ['youtube', 'none'],
  })
})

test.each([1, 12, 60])('a letter of the series comes on day %d', async (day) => {
  const file = fileOf(`---\nsubject: News\nafter-days: ${day}\n---\nHello`)
  expect((await readLetterFile(file, noPicture)).afterDays).toBe(day)
})

test('the words after the subject stand in the file as its preview', async () => {
  const file = fileOf('---\nsubject: News\nPreview: "Soon"\n---\nHello')
  expect(await readLetterFile(file, noPicture)).toMatchObject({ subject: 'News', preview: 'Soon' })
})

test('the name of a file has at most 80 letters', async () => {
  const read = (length: number) =>
    readLetterFile(fileOf('---\nsubject: x\n---\nText', `${'a'.repeat(length)}.md`), noPicture)
  expect((await read(80)).name).toBe('a'.repeat(80))
  await expect(read(81)).rejects.toThrow('is no name')
})

test('a picture that is refused is named', async () => {
  const path = fileOf('---\nsubject: News\n---\n![A chart](chart.png) ![Large](large.png)')
  for (const name of ['chart', 'large']) writeFileSync(join(dirname(path), `${name}.png`), name)
  const keep = (bytes: Buffer) => {
    if (bytes.toString() === 'large') throw new CommandError('A picture has at most 2 MB.')
    return '/pictures/chart'
  }
  await expect(readLetterFile(path, keep)).rejects.toThrow('large.png: A picture has at most 2 MB.')
})

test('pictures beside the file get their path on the site, and other addresses stay', async () => {
  const pictures = '![A chart](chart.png) ![Again](./chart.png) ![Kept](/pictures/x.png)'
  const path = fileOf(`---\nsubject: News\n---\n${pictures} ![Web](<https://x.example/a.png> "b")`)
  writeFileSync(join(dirname(path), 'chart.png'), 'bytes')
  const { words } = await readLetterFile(path, (bytes) => `/pictures/${bytes.toString()}`)
  expect(words).toBe(
    '![A chart](/pictures/bytes) ![Again](/pictures/bytes) ![Kept](/pictures/x.png) ![Web](<https://x.example/a.png> "b")',
  )
})

test.each([
  ['---\nno-subject: x\n---\nText', 'june.md', 'is no line of a letter'],
  ['---\nto: nobody\nsubject: x\n---\nText', 'june.md', 'neither consented nor everyone'],
  ['---\ncampaigns: [ , ]\nsubject: x\n---\nText', 'june.md', 'campaigns: names no campaign.'],
  ['---\nat: soon\nsubject: x\n---\nText', 'june.md', 'at: soon is no time like'],
  ['---\nafter-days: 0\nsubject: x\n---\nText', 'june.md', 'after-days: 0 is no number'],
  ['---\nafter-days: 7x\nsubject: x\n---\nText', 'june.md', 'after-days: 7x is no number'],
  ['---\nafter-days: x7\nsubject: x\n---\nText', 'june.md', 'after-days: x7 is no number'],
  ['---\n! to: everyone\nsubject: x\n---\nText', 'june.md', '“! to: everyone” is no line of'],
  ['---\nafter-days: 61\nsubject: x\n---\nText', 'june.md', 'no number from 1 to 60'],
  ['Text\n---\nsubject: x\n---\nText', 'june.md', 'must begin with the lines'],
  ['---\nsubject: x\n---\n', 'june.md', 'must begin with the lines'],
  ['---\nsubject: x\n---\nText', 'our june.md', 'our june is no name: use letters'],
  ['---\nsubject: x\n---\n![x](a.png "A title")', 'june.md', 'Write a picture as ![descr'],
  ['---\nsubject: x\n---\n![x](a chart.png)', 'june.md', 'Write a picture as ![description]'],
  ['---\nsubject: x\n---\n![x]( a.png )', 'june.md', 'Write a picture as ![description]'],
])('the file %j, named %s, is refused', async (content, name, why) => {
  await expect(readLetterFile(fileOf(content, name), noPicture)).rejects.toThrow(why)
})

test('the lines at the top of a file say whom the letter goes to and when', async () => {
  const lines = ['subject: News', 'to: everyone', 'campaigns: [youtube, "x y"]', 'not: june']
  const times = ['after-days: 7', 'at: 2026-11-21T09:30Z']
  const file = fileOf(`---\n${[...lines, ...times].join('\n')}\n---\nHello`)
  expect(await readLetterFile(file, noPicture)).toMatchObject({
    to: 'everyone',
    campaigns: ['youtube', 'x y'],
    not: 'june',
    afterDays: 7,
    sendAt: Date.UTC(2026, 10, 21, 9, 30),
  })
})

function fileOf(content: string, name = 'june.MD'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, content)
  return file
}

function noPicture(): never {
  throw new Error('The letter has no picture')
}
