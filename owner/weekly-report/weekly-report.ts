import { ownerMailText } from '#content/owner-mail.ts'
import { dayInWords } from '#content/releases.ts'
import type { Reader } from '#server/database/database.ts'
import { readMailState } from '#server/deliveries/mail-state.ts'
import { dayMs } from '#server/sign-up/limits.ts'
import { type DailyCount, dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { countSubscribers } from '#server/subscribers/subscribers.ts'
import { countText } from '../command-line/output.ts'
import { type SourceCounts, sourcesOf } from '../stats/sources.ts'
import {
  type Days,
  daysBefore,
  daysEnding,
  summarize,
  type Summary,
  sumOf,
  type Tally,
} from '../stats/summary.ts'
import { type OwnerMail, type OwnerMailDeps, sendOnce } from './send-once.ts'

const words = ownerMailText.weeklyReport
const maxSources = 8
/** After midnight of Monday, UTC. */
const sentFromMs = 7 * 60 * 60_000

/** Sends the report that is due since Monday, unless it was sent. Reports of earlier weeks are not made up for. */
export async function sendWeeklyReportIfDue(deps: OwnerMailDeps): Promise<void> {
  const { database, now } = deps
  const monday = mondayBefore(now() - sentFromMs)
  await sendOnce(deps, 'weekly-report', monday, () => writeWeeklyReport(database, monday, now()))
}

async function writeWeeklyReport(reader: Reader, monday: string, now: number): Promise<OwnerMail> {
  const days = daysEnding(dayOf(Date.parse(monday) - dayMs), 7)
  const daysOfBefore = daysBefore(days)
  const counts = await readDailyCounts(reader, daysOfBefore.from)
  const { waiting } = await readMailState(reader, now)
  const { active } = await countSubscribers(reader)
  const [week, before] = [summarize(counts, days), summarize(counts, daysOfBefore)]
  return {
    subject: words.subject(daysInWords(days), countText(week.signUps)),
    paragraphs: [
      words.opening(daysInWords(days)).join('\n'),
      ...compareWeeks(week, before),
      ...sourceLines(counts, days),
      section(words.now.heading, [
        `${words.now.active}: ${countText(active)}`,
        `${words.now.waiting}: ${countText(waiting)}`,
      ]),
      words.closing.join('\n'),
    ],
  }
}

type Line = (what: string, of: (summary: Summary) => number) => string

/** Lines of words rather than a table: many mail programs show plain text in a proportional typeface. */
function compareWeeks(week: Summary, before: Summary): string[] {
  const { mail, kit } = words
  const line: Line = (what, of) => `${what}: ${countText(of(week))} (${countText(of(before))})`
  const machines = [week.pageOpened, week.scriptDownloaded, week.guideDownloaded].map((one) => one.machines)
  const [pages = '', scripts = '', guides = ''] = machines.map(countText)
  return [
    section(words.signUps.heading, signUpLines(week, line)),
    section(mail.heading, [
      line(mail.delivered, (one) => one.delivered),
      line(mail.failed, (one) => one.failed),
      line(mail.bounced, (one) => one.bounced),
      line(mail.unsubscribed, (one) => one.unsubscribed),
    ]),
    section(kit.heading, [
      line(kit.opened, (one) => one.pageOpened.people),
      line(kit.script, (one) => one.scriptDownloaded.people),
      line(kit.guide, (one) => one.guideDownloaded.people),
      kit.machines(pages, scripts, guides),
    ]),
  ]
}

/** Forms and limits that did not occur this week have no line. */
function signUpLines(week: Summary, line: Line): string[] {
  const { all, forms, repeated, suggestions, limitsHit, limits } = words.signUps
  const countOf = (tallies: readonly Tally[], name: string) =>
    sumOf(tallies.filter(({ detail }) => detail === name))
  const linesOf = (names: Record<string, string>, tallies: (summary: Summary) => readonly Tally[]) =>
    tallies(week).map(
      ({ detail }) => `  ${line(names[detail] ?? detail, (one) => countOf(tallies(one), detail))}`,
    )
  return [
    line(all, (one) => one.signUps),
    ...linesOf(forms, (one) => one.byForm),
    line(repeated, (one) => one.repeated),
    line(suggestions, (one) => one.suggestionsAccepted),
    line(limitsHit, (one) => sumOf(one.limitsHit)),
    ...linesOf(limits, (one) => one.limitsHit),
  ]
}

/** Campaigns are text that strangers chose, and are shown as text. */
function sourceLines(counts: readonly DailyCount[], days: Days): string[] {
  const { heading, none, other, line } = words.sources
  const nameOf = (campaign: string) => ({ none, other })[campaign] ?? `"${campaign}"`
  const shown = sourcesOf(counts, days).slice(0, maxSources)
  const lines = shown.map(({ campaign, ...one }) => line(nameOf(campaign), inWords(one)))
  return lines.length > 0 ? [section(heading, lines)] : []
}

function inWords({ views, signUps, opened, taken }: SourceCounts): Record<keyof SourceCounts, string> {
  return {
    views: countText(views),
    signUps: countText(signUps),
    opened: countText(opened),
    taken: countText(taken),
  }
}

function daysInWords({ from, to }: Days): string {
  return `${dayInWords(from)} to ${dayInWords(to)}`
}

function section(heading: string, lines: readonly string[]): string {
  return [heading.toUpperCase(), ...lines].join('\n')
}

/** `2026-01-05`: the Monday of the UTC week that `ms` lies in. */
function mondayBefore(ms: number): string {
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7
  return dayOf(ms - daysSinceMonday * dayMs)
}
