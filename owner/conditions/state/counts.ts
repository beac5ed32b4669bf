import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import { dayMs } from '#server/database/clock.ts'
import {
  type CountedEvent,
  dayOf,
  gaveUp,
  readDailyCounts,
  sumOf,
} from '#server/statistics/daily-counts.ts'
import type { SiteSettings } from '#server/settings/site-settings.ts'
import { countText } from '#owner/acts/output.ts'
import { about, type Condition, type PastedRecord } from '../condition.ts'
import type { Situation } from './situation.ts'

const bounceDays = 7
const maxBadShare = 0.02
/** One of ten is not an alarm. */
const minBad = 5

const usualDays = 28
const minUsualDays = 7
const timesUsual = 3
const minSignUps = 50

/** Judges the counts of the last days. */
export async function judgeCounts({ reader, now, settings }: Situation): Promise<Condition[]> {
  const day = dayOf(now)
  const week = dayOf(now - (bounceDays - 1) * dayMs)
  const from = dayOf(now - usualDays * dayMs)
  const counts = await readDailyCounts(reader, from, [
    'signed-up',
    'delivered',
    'failed',
    'bounced',
  ])
  const since = (first: string, event: CountedEvent) =>
    sumOf(counts.filter((one) => one.event === event && one.day >= first))
  // A refused mail counts as bounced, too. Mailings are not in the counts of a day.
  const failedLater = counts.filter((one) => gaveUp(one) && one.day >= week)
  const bad = since(week, 'bounced') + sumOf(failedLater)
  const delivered = since(week, 'delivered') + (await countMailed(reader, Date.parse(week)))
  const signUps = since(day, 'signed-up')
  const start = counts.find(({ event }) => event === 'signed-up')?.day ?? day
  const daysBefore = (Date.parse(day) - Date.parse(start)) / dayMs
  const usual = Math.round((since(from, 'signed-up') - signUps) / Math.max(1, daysBefore))
  const isMany = daysBefore >= minUsualDays && signUps >= Math.max(minSignUps, timesUsual * usual)
  return [judgeReturned(bad, delivered, settings), judgeSignUps(isMany, signUps, usual, settings)]
}

function judgeReturned(bad: number, delivered: number, settings: SiteSettings): Condition {
  const { fine, error } = about('mail.returned')
  const isLittle = bad < minBad || bad <= delivered * maxBadShare
  if (isLittle) return fine('Little mail fails or comes back.')
  return error(
    'Too much mail fails or comes back.',
    `The view Mail lists the reasons under Failed. Many addresses that do not exist mean that a program fills in the form. ${slower}`,
    {
      place: 'mail',
      record: slowerLimit(settings),
      why: `In the last 7 days ${countText(bad)} mails failed or came back, and ${countText(delivered)} were handed to the mail server. Above 2 % mail servers begin to refuse a sender.`,
    },
  )
}

function judgeSignUps(
  isMany: boolean,
  signUps: number,
  usual: number,
  settings: SiteSettings,
): Condition {
  const { fine, error } = about('sign-ups.many')
  if (!isMany) return fine('Not more people sign up than usual.')
  return error(
    'Many more people sign up than usual.',
    `Today shows where they come from. If nobody has written about you, a program may be filling in the form. ${slower}`,
    {
      place: '',
      record: slowerLimit(settings),
      why: `Sign-ups today (UTC): ${countText(signUps)}. On an average day of the four weeks before: ${countText(usual)}. You are told when it is three times that or more, and at least 50.`,
    },
  )
}

const slower = 'This setting of the server slows it down: sign-ups from one network in 10 minutes.'

/** Advises half of the limit that is set. */
function slowerLimit({
  config: { signUpsPerNetworkIn10Minutes: now },
}: SiteSettings): PastedRecord {
  const value = now === Infinity ? 20 : Math.max(1, Math.floor(now / 2))
  return { name: 'LIMIT_IP_PER_10_MIN', type: 'setting', value: String(value) }
}

async function countMailed(reader: Reader, since: number): Promise<number> {
  const row = await reader.row<{ count: number }>(sql`
    select coalesce(sum(mails), 0) as count from mailing_hours
    where hour >= ${Math.floor(since / 3_600_000)}`)
  return row!.count
}
