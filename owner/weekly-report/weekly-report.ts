import { ownerMailText } from '#content/owner-mail.ts'
import type { Connection } from '#server/database/database.ts'
import { settingNames } from '#server/database/settings.ts'
import { countDeliveries } from '../deliveries/list-deliveries.ts'
import { dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { countSubscribers } from '#server/subscribers/subscribers.ts'
import { daysBefore, daysEnding, summarize, type Summary, sumOf, type Tally } from '../stats/summary.ts'
import { countText } from '../command-line/output.ts'
import { daysInWords } from './in-words.ts'
import { type OwnerMail, type OwnerMailDeps, readKept, sendOnce } from './send-once.ts'

const words = ownerMailText.weeklyReport
const maxSources = 8

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** After midnight of Monday, UTC. */
const sentFromMs = 7 * hourMs

/** Sends the report that is due since Monday, unless it was sent. Reports of earlier weeks are not made up for. */
export async function sendWeeklyReportIfDue(deps: OwnerMailDeps): Promise<void> {
  const { database, now } = deps
  const monday = mondayBefore(now() - sentFromMs)
  const kept = await readKept(database, settingNames.weeklyReport, { sent: '' })
  if (kept.state.sent >= monday) return
  const mail = await writeWeeklyReport(database.query, monday)
  await sendOnce(deps, kept, { key: monday, mail, before: kept.state, after: { sent: monday } })
}

async function writeWeeklyReport(connection: Connection, monday: string): Promise<OwnerMail> {
  const days = daysEnding(dayOf(Date.parse(monday) - dayMs), 7)
  const daysOfBefore = daysBefore(days)
  const counts = await readDailyCounts(connection, daysOfBefore.from)
  const { queued, sending } = await countDeliveries(connection)
  const { active } = await countSubscribers(connection)
  const [week, before] = [summarize(counts, days), summarize(counts, daysOfBefore)]
  const { now } = words
  return {
    subject: words.subject(daysInWords(week), countText(week.signUps)),
    paragraphs: [
      words.opening(daysInWords(week)).join('\n'),
      ...compareWeeks(week, before),
      section(now.heading, [
        `${now.active}: ${countText(active)}`,
        `${now.owed}: ${countText(queued + sending)}`,
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

/** Forms, limits and sources that did not occur this week have no line. */
function signUpLines(week: Summary, line: Line): string[] {
  const { all, forms, source, noSource, otherSources, repeated, typosRescued, limitsHit, limits } =
    words.signUps
  const countOf = (tallies: readonly Tally[], name: string) =>
    sumOf(tallies.filter(({ detail }) => detail === name))
  const named = week.bySource.filter(({ detail }) => detail !== 'other').slice(0, maxSources)
  const others = ({ bySource }: Summary) =>
    sumOf(bySource.filter(({ detail }) => !named.some((one) => one.detail === detail)))
  return [
    line(all, (one) => one.signUps),
    ...week.byForm.map(
      ({ detail }) => `  ${line(forms[detail] ?? detail, (one) => countOf(one.byForm, detail))}`,
    ),
    ...named.map(({ detail }) => {
      const name = detail === 'none' ? noSource : source(detail)
      return `  ${line(name, (one) => countOf(one.bySource, detail))}`
    }),
    ...(others(week) > 0 ? [`  ${line(otherSources, others)}`] : []),
    line(repeated, (one) => one.repeated),
    line(typosRescued, (one) => one.typosRescued),
    line(limitsHit, (one) => sumOf(one.limitsHit)),
    ...week.limitsHit.map(
      ({ detail }) => `  ${line(limits[detail] ?? detail, (one) => countOf(one.limitsHit, detail))}`,
    ),
  ]
}

function section(heading: string, lines: readonly string[]): string {
  return [heading.toUpperCase(), ...lines].join('\n')
}

/** `2026-01-05`: the Monday of the UTC week that `ms` lies in. */
function mondayBefore(ms: number): string {
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7
  return dayOf(ms - daysSinceMonday * dayMs)
}
