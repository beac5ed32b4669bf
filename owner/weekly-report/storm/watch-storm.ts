import { ownerMailText } from '#content/owner-mail.ts'
import { settingNames } from '#server/database/settings.ts'
import { type Database, newestId } from '#server/database/database.ts'
import { levelOf, readStorm, type StormLevel, writeStorm } from '#server/sign-up/storm.ts'
import type { ExtensionContext, RunningExtension } from '#server/start/extension.ts'
import { repeat } from '#server/start/repeat.ts'
import { type DailyCount, dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { daysEnding, summarize } from '../../stats/summary.ts'
import { historyStart, usualBandOf } from '../alarm-findings.ts'
import { countText } from '../../command-line/output.ts'
import { timeInWords } from '../in-words.ts'
import { keep, type OwnerMail, type OwnerMailDeps, readKept, sendOnce } from '../send-once.ts'
import { calm, type Figures, assess, type Assessment, minSignUps } from './assess.ts'

type WatchDeps = Pick<ExtensionContext, 'database' | 'log' | 'now'>

/** Totals since the beginning of `day`, and where the table of subscribers ended. */
type Totals = ReturnType<typeof totalsFrom> & { at: number; newestSubscriber: number }

interface Watched extends Assessment {
  /** Since when the level holds. */
  since: number
  /** One a minute, the oldest first. */
  minutes: Totals[]
  figures?: Figures
}

const minuteMs = 60_000
const windowMinutes = 10
/** People do not sign up evenly over the day. */
const busiestShare = 4 / 144
/** Used on a site without a history: the number that the site's default ceiling lets through. */
const usualWithoutHistory = 100
const sampledNewcomers = 1_000
const sampledBefore = 1_000

/** Assesses the sign-ups every minute, in one of all instances, and mails the owner about changes if there is an address. */
export function startStormWatch(deps: WatchDeps, mail: OwnerMailDeps | undefined): RunningExtension {
  return repeat(minuteMs, () =>
    watchOnce(deps, mail).catch((cause: unknown) =>
      deps.log.warn('cannot judge the sign-ups, trying again later', { cause }),
    ),
  )
}

export async function watchOnce(deps: WatchDeps, mail: OwnerMailDeps | undefined): Promise<void> {
  const { database, log, now } = deps
  const at = now()
  const kept = await readKept<Watched>(database, settingNames.stormWatch, { ...calm, since: at, minutes: [] })
  const last = kept.state.minutes.at(-1)
  if (last && at - last.at < minuteMs / 2) return
  const counts = await readDailyCounts(database.query, historyStart(at))
  const watched = await assessMinute(database, counts, kept.state, at)
  if (!(await keep(database, kept, watched))) return
  if (watched.level !== kept.state.level)
    log.warn('the level of the storm changed', {
      from: kept.state.level,
      to: watched.level,
      ...watched.figures,
    })
  await writeStorm(database.query, { judged: watched.level })
  if (mail) await mailOwner(mail, watched, at)
}

async function assessMinute(
  database: Database,
  counts: readonly DailyCount[],
  before: Watched,
  at: number,
): Promise<Watched> {
  const windowStart = at - (windowMinutes + 0.5) * minuteMs
  const earlier = before.minutes.filter((one) => one.at >= windowStart)
  const newestSubscriber = await newestId(database.query, 'subscribers')
  const minutes = [...earlier, { at, ...totalsFrom(counts, dayOf(at), at), newestSubscriber }]
  const [first] = earlier
  if (!first) return { ...before, minutes }
  const now = totalsFrom(counts, first.day, at)
  const signUps = now.signUps - first.signUps
  const figures = {
    signUps,
    usual: usualInTenMinutes(counts, at),
    mails: now.mails - first.mails,
    badMails: now.badMails - first.badMails,
    ...(signUps < minSignUps ? noDomains : await countNewDomains(database, first.newestSubscriber)),
  }
  const assessment = assess(figures, before)
  const since = assessment.level === before.level ? before.since : at
  return { ...assessment, since, minutes, figures }
}

function totalsFrom(counts: readonly DailyCount[], day: string, at: number) {
  const { signUps, delivered, failed, bounced } = summarize(counts, { from: day, to: dayOf(at) })
  return { day, signUps, mails: delivered + failed, badMails: failed + bounced }
}

/** Returns the share of the busiest ten minutes in the upper end of a day's alarm band. */
function usualInTenMinutes(counts: readonly DailyCount[], at: number): number {
  const days = daysEnding(dayOf(at), 60)
  const first = counts.reduce((least, { day }) => (day < least ? day : least), days.to)
  const band = usualBandOf(summarize(counts, { from: first, to: days.to }).signUpsByDay)
  return band ? Math.max(minSignUps, Math.ceil(band.high * busiestShare)) : usualWithoutHistory
}

const noDomains = { domains: 0, newDomains: 0 }

/** Compares the newest sign-ups with those right before them. */
async function countNewDomains({ query }: Database, afterId: number) {
  const rows = await query
    .selectFrom('subscribers')
    .select(['id', 'identity'])
    .orderBy('id', 'desc')
    .limit(sampledNewcomers + sampledBefore)
    .execute()
  const domainOf = ({ identity }: { identity: string }) => identity.slice(identity.lastIndexOf('@') + 1)
  const newcomers = rows.filter(({ id }, place) => id > afterId && place < sampledNewcomers)
  const known = new Set(rows.slice(newcomers.length).map(domainOf))
  if (known.size === 0) return noDomains
  const isNew = (row: { identity: string }) => !known.has(domainOf(row))
  return { domains: newcomers.length, newDomains: newcomers.filter(isNew).length }
}

/** Mails the owner once about each change, and not while the owner has set the mode. */
async function mailOwner(deps: OwnerMailDeps, { since, level, figures }: Watched, at: number): Promise<void> {
  const { database } = deps
  const state = await readStorm(database.query)
  if (state.mode !== 'auto' || !figures) return
  const kept = await readKept<{ told: StormLevel }>(database, settingNames.stormTold, { told: 'calm' })
  if (kept.state.told === levelOf(state)) return
  await sendOnce(deps, kept, {
    key: String(since),
    mail: composeStormMail(level, figures, at),
    before: kept.state,
    after: { told: level },
  })
}

function composeStormMail(level: StormLevel, figures: Figures, at: number): OwnerMail {
  const { changes, seen, closing } = ownerMailText.storm
  const { subject, meaning } = changes[level]
  return {
    subject,
    paragraphs: [
      meaning,
      [
        seen.signUps(countText(figures.signUps), countText(figures.usual)),
        seen.mails(countText(figures.badMails), countText(figures.mails)),
        seen.domains(countText(figures.newDomains), countText(figures.domains)),
      ].join('\n'),
      closing(timeInWords(at)).join('\n'),
    ],
  }
}
