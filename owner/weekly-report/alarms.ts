import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { countDeliveries } from '../deliveries/list-deliveries.ts'
import type { MailTrouble } from '#server/deliveries/backlog.ts'
import { composeAlarm } from './compose-alarm.ts'
import { type Finding, findInCounts, judgedFrom } from './findings.ts'
import { keep, type OwnerMailMeans, readKept, sendOnce } from './send-once.ts'

interface Alarms {
  /** When the last one went. */
  sentAt: number
  /** When the owner was last told of each kind. */
  told: Partial<Record<Finding['kind'], number>>
  /** What the owner is to be told. */
  owed: Finding[]
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** What lasts is not said again each day; mail that is stuck is. */
const repeatMs = {
  stuck: dayMs,
  late: dayMs,
  bounces: 7 * dayMs,
  'no-sign-ups': 7 * dayMs,
  'few-sign-ups': 7 * dayMs,
  'many-sign-ups': 7 * dayMs,
}
/** Two sightings of the same trouble that lie closer together are one. */
const sameSightingMs = 60 * minuteMs

/**
 * Sends what the owner should know at once, one alarm a day at most. What cannot go out yet is kept and tried again at each
 * look, since mail to the owner may take the same broken way as the mail that is stuck.
 */
export async function sendAlarmIfDue(means: OwnerMailMeans, trouble: MailTrouble | undefined): Promise<void> {
  const { database, now } = means
  const at = now()
  const kept = await readKept<Alarms>(database, 'alarm', { sentAt: 0, told: {}, owed: [] })
  if (kept.leaseUntil > at) return
  const counts = await readDailyCounts(database.query, judgedFrom(at))
  const troubleNow: Finding[] = trouble ? [{ ...trouble, seenAt: at }] : []
  const seen = [...troubleNow, ...findInCounts(counts, at)]
  const owed = addSeen(kept.state, seen, at)
  const before = { ...kept.state, owed }
  if (owed.length === 0) return
  if (at < kept.state.sentAt + dayMs) return void (await keep(database, kept, before))
  const { queued, sending } = await countDeliveries(database.query)
  await sendOnce(means, kept, {
    key: String(kept.state.sentAt),
    mail: composeAlarm(owed, queued + sending, at),
    before,
    after: { sentAt: at, told: { ...kept.state.told, ...toldNow(owed, at) }, owed: [] },
  })
}

/** What was told lately is left out; of what is owed and seen again, the newer figures count. */
function addSeen({ told, owed }: Alarms, seen: readonly Finding[], at: number): Finding[] {
  const fresh = seen.filter(({ kind }) => at >= (told[kind] ?? -Infinity) + repeatMs[kind])
  const older = owed.filter(({ kind }) => !fresh.some((one) => one.kind === kind))
  return [...older, ...fresh.map((one) => withFirstSighting(one, owed))]
}

/** A server that was started again while mail was in trouble knows only since then. */
function withFirstSighting(found: Finding, owed: readonly Finding[]): Finding {
  if (found.kind !== 'stuck' && found.kind !== 'late') return found
  const first = owed.find((one): one is typeof found => one.kind === found.kind)
  const isSame = first !== undefined && found.since - first.seenAt < sameSightingMs
  return isSame ? { ...found, since: Math.min(first.since, found.since) } : found
}

function toldNow(told: readonly Finding[], at: number): Alarms['told'] {
  return Object.fromEntries(told.map(({ kind }) => [kind, at]))
}
