import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openOwnerTerminal } from '#rigs/owner/owner-terminal.ts'
import { pngOf } from '#rigs/server/png.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const off = 'The series is off.\n'
const on = 'The series is on.\n'

test('list shows the letters in their order, and that the series is off', async () => {
  const { owner } = await openOwnerTerminal()
  const { code, printed } = await owner('series', 'list')
  expect(code).toBe(0)
  expect(cellsOf(printed)).toEqual([
    ['name', 'afterDays', 'switch', 'due', 'sent', 'failed', 'left', 'subject'],
    ['first-alert', '1', 'on', '0', '0', '0', '0', 'Your first alert, in five minutes'],
    ['sideways', '4', 'on', '0', '0', '0', '0', 'When the market goes sideways'],
    ['real-money', '10', 'on', '0', '0', '0', '0', expect.any(String)],
    ['The series is off.'],
  ])
})

test('list --json has the whole letters', async () => {
  const { owner } = await openOwnerTerminal()
  const series = JSON.parse((await owner('series', 'list', '--json')).printed)
  expect(series).toMatchObject({
    isOn: false,
    letters: [{ name: 'first-alert', pausedWhy: null }, {}, {}],
  })
  expect(series.letters[0].text).toContain('The script is on your chart.')
})

test('on and off switch the series', async () => {
  const { owner } = await openOwnerTerminal()
  expect((await owner('series', 'on')).printed).toContain(on)
  expect((await owner('series', 'off')).printed).toContain(off)
})

test('on and off with a name switch one letter', async () => {
  const { owner } = await openOwnerTerminal()
  await owner('series', 'on')
  const { printed } = await owner('series', 'off', 'sideways')
  expect(rowNamed(printed, 'sideways')?.[2]).toBe('off')
  expect(rowNamed(printed, 'first-alert')?.[2]).toBe('on')
  expect(printed).toContain(on)
  expect(rowNamed((await owner('series', 'on', 'sideways')).printed, 'sideways')?.[2]).toBe('on')
})

test('add takes a Markdown file, and its days', async () => {
  const { owner } = await openOwnerTerminal()
  const file = letterFile('---\nsubject: Tips\npreview: Three of them\n---\nHello')
  const { code, printed } = await owner('series', 'add', file, '--after-days', '20')
  expect(code).toBe(0)
  expect(rowNamed(printed, 'tips')).toEqual(['tips', '20', 'on', '0', '0', '0', '0', 'Tips'])
  const { letters } = JSON.parse((await owner('series', 'list', '--json')).printed)
  expect(letters.at(-1)).toMatchObject({ preview: 'Three of them', text: 'Hello' })
})

test('a picture beside the file is kept with the letter', async () => {
  const { owner, database } = await openOwnerTerminal()
  const file = letterFile('---\nsubject: Tips\n---\n![A chart](chart.png)')
  writeFileSync(join(file, '../chart.png'), pngOf(1104, 620))
  expect(await owner('series', 'add', file, '--after-days', '20')).toMatchObject({ code: 0 })
  const picture = await database.row<{ name: string }>(sql`select name from letter_pictures`)
  const { letters } = JSON.parse((await owner('series', 'list', '--json')).printed)
  expect(letters.at(-1).text).toBe(`![A chart](/pictures/${picture?.name})`)
})

test('add needs the days', async () => {
  const { owner } = await openOwnerTerminal()
  const { code, aside } = await owner('series', 'add', letterFile('---\nsubject: T\n---\nT'))
  expect(code).not.toBe(0)
  expect(aside).toContain('--after-days')
})

test('remove takes a letter out', async () => {
  const { owner } = await openOwnerTerminal()
  const { printed } = await owner('series', 'remove', 'sideways')
  expect(rowNamed(printed, 'sideways')).toBeUndefined()
  expect(rowNamed(printed, 'first-alert')).toBeDefined()
})

test('a letter that has paused itself is named, with the reason', async () => {
  const { owner, database } = await openOwnerTerminal()
  await owner('series', 'on')
  await database.transaction((transaction) =>
    transaction.run(sql`
      update announcements set state = 'paused', paused_why = '4 of the last 60 came back'
      where name = 'sideways'`),
  )
  const { printed } = await owner('series', 'list')
  expect(printed.endsWith(`\nsideways has paused: 4 of the last 60 came back.\n${on}`)).toBe(true)
})

test.each([
  'Letters that follow the kit, some days after somebody asked for news',
  'Show the letters in their order, with their figures',
  'Add a letter',
  'Switch the series on, or one of its letters',
  'Switch the series off, or one of its letters',
  'Take a letter out of the series',
])('the help says: %s', async (words) => {
  const { owner } = await openOwnerTerminal()
  expect((await owner('series', '--help')).printed).toContain(words)
})

test('the help of add says what the file and the days are', async () => {
  const { owner } = await openOwnerTerminal()
  const { printed } = await owner('series', 'add', '--help')
  expect(printed).toContain('Markdown that begins with the lines ---, subject: …, ---')
  expect(printed).toContain('Days after their consent, 1 to 60')
})

test('the help of on says what a name does', async () => {
  const { owner } = await openOwnerTerminal()
  const { printed } = await owner('series', 'on', '--help')
  expect(printed).toContain('One letter. Without it, the whole series')
})

test('the help has an example for each command that needs one', async () => {
  const { owner } = await openOwnerTerminal()
  expect((await owner('series', 'add', '--help')).printed).toContain('tips.md --after-days 20')
  expect((await owner('series', 'remove', '--help')).printed).toContain('series remove tips')
})

function cellsOf(printed: string): string[][] {
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/))
}

function rowNamed(printed: string, name: string): string[] | undefined {
  return cellsOf(printed).find(([first]) => first === name)
}

function letterFile(content: string): string {
  const file = join(temporaryFolder(), 'tips.md')
  writeFileSync(file, content)
  return file
}
