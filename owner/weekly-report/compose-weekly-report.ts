import { ownerMailText } from '#content/owner-mail.ts'
import type { Summary, Tally } from '../stats/summary.ts'
import { daysInWords, inWords } from './in-words.ts'
import type { OwnerMail } from './send-once.ts'

export interface Standing {
  /** Subscribers. */
  active: number
  /** Deliveries. */
  owed: number
}

const words = ownerMailText.weeklyReport
const maxSources = 8

/** Lines of words rather than a table: many mail programs show plain text in a proportional typeface. */
export function composeWeeklyReport(week: Summary, before: Summary, standing: Standing): OwnerMail {
  return {
    subject: words.subject(daysInWords(week), inWords(week.signUps)),
    paragraphs: [
      words.opening(daysInWords(week)).join('\n'),
      signUps(week, before),
      mail(week, before),
      kit(week, before),
      section(words.now.heading, [
        `${words.now.active}: ${inWords(standing.active)}`,
        `${words.now.owed}: ${inWords(standing.owed)}`,
      ]),
      words.closing.join('\n'),
    ],
  }
}

function signUps(week: Summary, before: Summary): string {
  const { heading, all, forms, repeated, typosRescued, limitsHit, limits } = words.signUps
  return section(heading, [
    line(all, week.signUps, before.signUps),
    ...details(week.byForm, before.byForm, (form) => forms[form] ?? form),
    ...sources(week, before).map(([name, now, then]) => `  ${line(name, now, then)}`),
    line(repeated, week.repeated, before.repeated),
    line(typosRescued, week.typosRescued, before.typosRescued),
    line(limitsHit, sum(week.limitsHit), sum(before.limitsHit)),
    ...details(week.limitsHit, before.limitsHit, (limit) => limits[limit] ?? limit),
  ])
}

function mail(week: Summary, before: Summary): string {
  const { heading, delivered, failed, bounced, unsubscribed } = words.mail
  return section(heading, [
    line(delivered, week.delivered, before.delivered),
    line(failed, week.failed, before.failed),
    line(bounced, week.bounced, before.bounced),
    line(unsubscribed, week.unsubscribed, before.unsubscribed),
  ])
}

function kit(week: Summary, before: Summary): string {
  const { heading, opened, script, guide, machines } = words.kit
  const { pageOpened, scriptDownloaded, guideDownloaded } = week
  return section(heading, [
    line(opened, pageOpened.people, before.pageOpened.people),
    line(script, scriptDownloaded.people, before.scriptDownloaded.people),
    line(guide, guideDownloaded.people, before.guideDownloaded.people),
    machines(
      inWords(pageOpened.machines),
      inWords(scriptDownloaded.machines),
      inWords(guideDownloaded.machines),
    ),
  ])
}

function section(heading: string, lines: readonly string[]): string {
  return [heading.toUpperCase(), ...lines].join('\n')
}

function line(what: string, now: number, then: number): string {
  return `${what}: ${inWords(now)} (${inWords(then)})`
}

/** Skips what did not occur this week. */
function details(week: readonly Tally[], before: readonly Tally[], nameOf: (detail: string) => string) {
  return week.map(({ detail, count }) => `  ${line(nameOf(detail), count, countOf(before, detail))}`)
}

/** The most frequent sources by name, all others together. */
function sources(week: Summary, before: Summary): [string, number, number][] {
  const { source, noSource, otherSources } = words.signUps
  const isNamed = ({ detail }: Tally) => detail !== 'other'
  const named = week.bySource.filter(isNamed).slice(0, maxSources)
  const others = (summary: Summary) =>
    sum(summary.bySource.filter(({ detail }) => !named.some((one) => one.detail === detail)))
  const lines = named.map(({ detail, count }): [string, number, number] => [
    detail === 'none' ? noSource : source(detail),
    count,
    countOf(before.bySource, detail),
  ])
  return others(week) > 0 ? [...lines, [otherSources, others(week), others(before)]] : lines
}

function countOf(tallies: readonly Tally[], detail: string): number {
  return tallies.find((one) => one.detail === detail)?.count ?? 0
}

function sum(tallies: readonly Tally[]): number {
  return tallies.reduce((total, { count }) => total + count, 0)
}
