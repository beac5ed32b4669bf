import sql from 'sql-template-tag'
import { ownerMailText } from '#content/owner-mail.ts'
import { fill } from '#site/text/fill.ts'
import { dayInWords } from '#site/text/day-in-words.ts'
import type { Reader } from '#server/database/database.ts'
import { readMailState } from '#server/deliveries/mail-state.ts'
import { dayMs } from '#server/database/clock.ts'
import { dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { countText } from '#owner/acts/output.ts'
import { figuresOf, machinesOf } from './figures.ts'
import { type Source, sourcesOf } from './sources.ts'
import { periodsOf } from './statistics.ts'
import { summarize } from './summary.ts'
import { countOnTheList } from '#owner/people/list-subscribers.ts'
import { type OwnerMail, type OwnerMailDeps, sendOnce } from '#owner/acts/send-once.ts'

const words = ownerMailText.weeklyReport
const maxSources = 8
/** After midnight of Monday, UTC. */
const sentFromMs = 7 * 60 * 60_000

/**
 * Sends the report that is due since Monday, once: not for a site younger than that, and not for
 * earlier weeks.
 */
export async function sendWeeklyReportIfDue(deps: OwnerMailDeps): Promise<void> {
  const { database, now } = deps
  const monday = mondayBefore(now() - sentFromMs)
  if (await database.row(sql`select 1 from daily_counts where day < ${monday} limit 1`)) {
    // Each week has a row of its own: a clock that steps back finds what was sent before.
    const write = () => writeWeeklyReport(database.ownerReads, monday, now())
    await sendOnce(deps, `weekly-report ${monday}`, monday, write)
  }
}

async function writeWeeklyReport(reader: Reader, monday: string, now: number): Promise<OwnerMail> {
  const { period, before } = periodsOf(7, Date.parse(monday) - dayMs)
  const counts = await readDailyCounts(reader, before.from)
  const { waiting } = await readMailState(reader, now)
  const { active } = await countOnTheList(reader)
  const week = summarize(counts, period)
  const values = {
    week: `${dayInWords(period.from)} to ${dayInWords(period.to)}`,
    signUps: countText(week.signUps),
  }
  return {
    subject: fill(words.subject, values),
    paragraphs: [
      fill(words.opening.join('\n'), values),
      // Lines of words rather than a table: many mail programs show plain text in a proportional
      // typeface.
      ...figuresOf(week, summarize(counts, before)).map(({ heading, figures }) =>
        section(
          heading,
          figures.map((figure) => `${figure.label}: ${figure.count} (${figure.before})`),
        ),
      ),
      machinesOf(week),
      ...sourceLines(sourcesOf(counts, period)),
      section(words.now.heading, [
        `${words.now.active}: ${countText(active)}`,
        `${words.now.waiting}: ${countText(waiting)}`,
      ]),
      words.closing.join('\n'),
    ],
  }
}

/** Campaigns are text that strangers chose, and are shown as text. */
function sourceLines(sources: readonly Source[]): string[] {
  const { heading, line } = words.sources
  const lines = sources.slice(0, maxSources).map((source) => {
    const { campaign, views, signUps, opened, gotScript } = source
    return fill(line, {
      source: nameOfSource(campaign),
      views: countText(views),
      signUps: countText(signUps),
      opened: countText(opened),
      gotScript: countText(gotScript),
    })
  })
  return lines.length > 0 ? [section(heading, lines)] : []
}

function nameOfSource(campaign: string): string {
  if (campaign === 'none') return words.sources.none
  if (campaign === 'other') return words.sources.other
  return `"${campaign}"`
}

function section(heading: string, lines: readonly string[]): string {
  return [heading.toUpperCase(), ...lines].join('\n')
}

/** `2026-01-05`: the Monday of the UTC week that `ms` lies in. */
function mondayBefore(ms: number): string {
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7
  return dayOf(ms - daysSinceMonday * dayMs)
}
