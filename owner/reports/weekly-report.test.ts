import { expect, test } from 'vitest'
import { ownersList } from '#rigs/owner/owners-list.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

test('the weekly report compares the week with the one before, and names its sources', async () => {
  const list = await ownersList()
  await countTwoWeeks(list.count)
  await list.check()
  const [report] = list.texts()
  expect(list.subjects()).toEqual(['Bot, 5 January 2026 to 11 January 2026: sign-ups 1,042'])
  for (const line of [
    'New sign-ups: 1,042 (30)',
    '  form at the foot: 42 (30)',
    'Repeated by people on the list: 7 (0)',
    'Mistyped addresses corrected before sending: 2 (0)',
    "  the hour's ceiling of the whole site: 4 (0)",
    'Handed to the mail server: 1,040 (29)',
    'Came back as undeliverable: 3 (1)',
    'Page opened: 600 (0)',
    'Not counted above are machines such as mail scanners: page 2,000, script 60, guide 50.',
    'SOURCES',
    'not named: views 9,000, sign-ups 1,000, pages opened 0, scripts downloaded 0',
    '"launch": views 200, sign-ups 40, pages opened 30, scripts downloaded 20',
    'others: views 0, sign-ups 1, pages opened 0, scripts downloaded 0',
    'On the list: 0',
  ]) {
    expect(report!.split('\n')).toContain(line)
  }
})

test('a campaign called like a property of every object is named in the weekly report', async () => {
  const list = await ownersList()
  await list.count('2026-01-06', 'came-from', 3, 'constructor')
  await list.check()
  expect(list.texts()[0]).toContain('"constructor": views 0, sign-ups 3,')
})

test('the weekly report is sent once a week, on Monday from 07:00 UTC on, and never for earlier weeks', async () => {
  const list = await ownersList()
  const sentAt = async (ms: number) => {
    list.at(ms)
    await list.check()
    return list.mailer.attempts.splice(0).length
  }
  expect(await sentAt(0)).toBe(1)
  expect(await sentAt(7 * dayMs - 1)).toBe(0)
  expect(await sentAt(7 * dayMs)).toBe(1)
  expect(await sentAt(7 * dayMs + minuteMs)).toBe(0)
  expect(await sentAt(40 * dayMs)).toBe(1)
  expect(await sentAt(40 * dayMs + 1)).toBe(0)
})

test.each([
  ['a minute', -minuteMs],
  ['ten weeks', 70 * dayMs],
])(
  'a report is not repeated when the clock was wrong by %s and is set right',
  async (_what, ms) => {
    const list = await ownersList()
    list.at(-7 * dayMs)
    await list.check()
    list.at(0)
    await list.check()
    list.at(ms)
    await list.check()
    const sent = list.subjects().length
    list.at(0)
    await list.check()
    expect(list.subjects()).toHaveLength(sent)
    expect(new Set(list.subjects()).size).toBe(sent)
  },
)

test('a site that is younger than Monday gets its first report a week later', async () => {
  const list = await ownersList({ firstDay: '2026-01-12' })
  await list.check()
  expect(list.mailer.attempts).toEqual([])
  list.at(7 * dayMs)
  await list.check()
  expect(list.subjects()).toEqual(['Bot, 12 January 2026 to 18 January 2026: sign-ups 0'])
})

async function countTwoWeeks(count: Awaited<ReturnType<typeof ownersList>>['count']) {
  await count('2025-12-29', 'signed-up', 30, 'closing')
  await count('2026-01-04', 'delivered', 29)
  await count('2026-01-04', 'bounced', 1)
  await count('2026-01-05', 'signed-up', 1_000, 'hero')
  await count('2026-01-11', 'signed-up', 42, 'closing')
  await count('2026-01-05', 'viewed-from', 9_000, 'none')
  await count('2026-01-05', 'came-from', 1_000, 'none')
  await count('2026-01-06', 'viewed-from', 200, 'launch')
  await count('2026-01-06', 'came-from', 40, 'launch')
  await count('2026-01-06', 'opened-from', 30, 'launch')
  await count('2026-01-06', 'taken-from', 20, 'launch')
  await count('2026-01-06', 'came-from', 1, 'other')
  await count('2026-01-07', 'already-listed', 7)
  await count('2026-01-07', 'suggestion-accepted', 2)
  await count('2026-01-07', 'limit-hit', 4, 'site')
  await count('2026-01-08', 'delivered', 1_040)
  await count('2026-01-08', 'bounced', 3)
  await count('2026-01-10', 'page-opened', 600, 'person')
  await count('2026-01-10', 'page-opened', 2_000, 'machine')
  await count('2026-01-10', 'script-downloaded', 60, 'machine')
  await count('2026-01-10', 'guide-downloaded', 50, 'machine')
  await count('2026-01-12', 'signed-up', 49, 'hero')
}
