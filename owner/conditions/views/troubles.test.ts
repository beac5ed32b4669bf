import { expect, test } from 'vitest'

import { type TodayState, troublesOf } from './troubles.ts'

const now = Date.parse('2026-11-22T09:00:00Z')
const well = {
  at: now,
  mail: { waiting: 3, lastSentAt: null, trouble: null },
  disk: { freeBytes: 41e9, isLow: false },
  alarms: [],
  pageNotUpdated: null,
  placeholders: [],
  wrongFindings: 0,
}
const since = now - 42 * 60_000
const headings = (state: object) =>
  troublesOf({ ...well, ...state } as unknown as TodayState).map(({ heading }) => heading) // the parts that it reads

test('without trouble none is listed', () => {
  expect(headings({})).toEqual([])
})

test('a version of the page that is not shown is told with its reason', () => {
  const state = { ...well, pageNotUpdated: 'No font.' } as unknown as TodayState // the parts that it reads
  expect(troublesOf(state)[0]?.text).toContain('No font.')
})

test('mail comes first, with how long, why and how many wait', () => {
  const trouble = { kind: 'stuck', since, why: 'ECONNREFUSED' }
  const state = { ...well, mail: { ...well.mail, trouble } } as unknown as TodayState // the parts that it reads
  expect(troublesOf(state)).toEqual([
    {
      heading: 'Mail is stuck.',
      text: 'None has gone out for 42 minutes. The mail server cannot be reached. 3 mails are waiting. Nothing is lost, and sign-ups are still taken.',
      view: 'mail',
    },
  ])
})

test('an hour whose mails are used up is no fault: it says how many are allowed, used and waiting, and when the next go', () => {
  const roomAt = new Date(now).setHours(22, 40)
  const trouble = { kind: 'full', since, allowed: 600, used: 600, roomAt }
  const state = {
    ...well,
    mail: { waiting: 412, lastSentAt: now, trouble },
  } as unknown as TodayState // the parts that it reads
  const [{ heading, text } = { heading: '', text: '' }] = troublesOf(state)
  expect(heading).toBe('The mails of this hour are used up.')
  expect(text).toContain(
    '600 mails an hour are allowed, and 600 have gone out in the last hour. Waiting now: 412; the next go out at 22:40.',
  )
  expect(text).toContain('LIMIT_SITE_MAILS_PER_HOUR')
})

test('several troubles come by their gravity', () => {
  const state = {
    disk: { freeBytes: 3e7, isLow: true },
    alarms: [
      { kind: 'bounces', day: '2026-11-22', count: 9, beside: 100 },
      { kind: 'many-sign-ups', day: '2026-11-22', count: 500, beside: 20 },
    ],
    wrongFindings: 1,
  }
  expect(headings(state)).toEqual([
    'The disk is nearly full.',
    'Too much mail fails or comes back.',
    'There are unusually many sign-ups.',
    'The check-up found 1 fault.',
  ])
})

test('a page with placeholders is not well, and says which visitors see', () => {
  const placeholders = ['[Creator name]', '[Postal address]']
  const [trouble] = troublesOf({ ...well, placeholders } as unknown as TodayState) // the parts that it reads
  expect(trouble).toMatchObject({ heading: 'Placeholders are on your page.', view: 'page' })
  expect(trouble?.text).toContain('[Creator name] and [Postal address]')
})

test('placeholders of a page that is held back are for Ready to say', () => {
  const state = { placeholders: ['[Creator name]'], isHeldBack: true }
  expect(headings(state)).toEqual(['Your page is not open yet.'])
})
