import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { countDeliveries } from '../deliveries/list-deliveries.ts'
import { shareOf } from '../stats/share.ts'
import { settingNames } from '#server/database/settings.ts'
import type { MailTrouble } from '#server/deliveries/backlog.ts'
import { ownerMailText } from '#content/owner-mail.ts'
import { type AlarmFinding, findInCounts, historyStart } from './alarm-findings.ts'
import { countText } from '../command-line/output.ts'
import { dayInWords, daysInWords, timeInWords } from './in-words.ts'
import { keep, type OwnerMail, type OwnerMailDeps, readKept, sendOnce } from './send-once.ts'

interface Alarms {
  sentAt: number
  /** Time of the last alarm of each kind. */
  told: Partial<Record<AlarmFinding['kind'], number>>
  /** Findings not reported yet. */
  owed: AlarmFinding[]
}

const dayMs = 24 * 60 * 60_000
/** Trouble that lasts is reported again after this time. */
const repeatMs = {
  stuck: dayMs,
  late: dayMs,
  bounces: 7 * dayMs,
  'no-sign-ups': 7 * dayMs,
  'few-sign-ups': 7 * dayMs,
  'many-sign-ups': 7 * dayMs,
}

/**
 * Sends at most one alarm a day. An alarm that cannot go out is kept and tried again at each check, because mail to the
 * owner goes over the same relay as the mail that is stuck.
 */
export async function sendAlarmIfDue(deps: OwnerMailDeps, trouble: MailTrouble | undefined): Promise<void> {
  const { database, now } = deps
  const at = now()
  const kept = await readKept<Alarms>(database, settingNames.alarm, { sentAt: 0, told: {}, owed: [] })
  if (kept.leaseUntil > at) return // writing the row now would end the lease
  const counts = await readDailyCounts(database.query, historyStart(at))
  const troubleNow: AlarmFinding[] = trouble ? [{ ...trouble, seenAt: at }] : []
  const seen = [...troubleNow, ...findInCounts(counts, at)]
  const pending = addSeen(kept.state, seen, at)
  const before = { ...kept.state, owed: pending }
  if (pending.length === 0) return
  if (at < kept.state.sentAt + dayMs) return void (await keep(database, kept, before))
  const { queued, sending } = await countDeliveries(database.query)
  const told = Object.fromEntries(pending.map(({ kind }) => [kind, at]))
  await sendOnce(deps, kept, {
    key: String(kept.state.sentAt),
    mail: composeAlarm(pending, queued + sending, at),
    before,
    after: { sentAt: at, told: { ...kept.state.told, ...told }, owed: [] },
  })
}

/** Skips kinds reported recently. A pending finding that is seen again gets the newer figures. */
function addSeen({ told, owed }: Alarms, seen: readonly AlarmFinding[], at: number): AlarmFinding[] {
  const fresh = seen.filter(({ kind }) => at >= (told[kind] ?? -Infinity) + repeatMs[kind])
  const older = owed.filter(({ kind }) => !fresh.some((one) => one.kind === kind))
  return [...older, ...fresh]
}

const words = ownerMailText.alarm

/** `waiting`: unsent deliveries. */
function composeAlarm(findings: readonly AlarmFinding[], waiting: number, at: number): OwnerMail {
  const told = findings.map((finding) => tell(finding, waiting, at))
  return {
    subject: words.subject(told.map(({ what }) => what).join(', ')),
    paragraphs: [
      ...told.map(({ what, seen, advice }) =>
        [what.toUpperCase(), seen, `${words.toDo} ${advice}`].join('\n'),
      ),
      words.closing(timeInWords(at)).join('\n'),
    ],
  }
}

/** One finding in a few words, in sentences, and with advice. */
function tell(finding: AlarmFinding, waiting: number, at: number) {
  switch (finding.kind) {
    case 'stuck':
    case 'late': {
      const { isSo, wasSo, now, before, waiting: rest, advice } = words[finding.kind]
      const [since, until] = [timeInWords(finding.since), timeInWords(finding.seenAt)]
      const isStill = finding.seenAt === at
      const seen = `${isStill ? now(since) : before(since, until)} ${rest(countText(waiting), finding.why)}`
      return { what: isStill ? isSo : wasSo, seen, advice }
    }
    case 'bounces': {
      const { isSo, seen, share, advice } = words.bounces
      const { days, since, bad, delivered } = finding
      const percent = shareOf(bad, delivered, 1)
      const ofAll = percent === undefined ? '' : share(percent)
      const [all, failed] = [countText(delivered), countText(bad)]
      return { what: isSo, seen: seen(all, failed, ofAll, daysInWords(days), dayInWords(since)), advice }
    }
    case 'no-sign-ups': {
      const { isSo, seen, advice } = words.noSignUps
      return { what: isSo, seen: seen(dayInWords(finding.since), countText(finding.usual)), advice }
    }
    case 'few-sign-ups':
    case 'many-sign-ups': {
      const { isSo, seen, advice } = finding.kind === 'few-sign-ups' ? words.fewSignUps : words.manySignUps
      const [count, low, high] = [finding.count, finding.low, finding.high].map(countText)
      return { what: isSo, seen: seen(count!, dayInWords(finding.day), low!, high!), advice }
    }
    default:
      return finding satisfies never
  }
}
