import sql from 'sql-template-tag'
import { defaultContent } from '#content/content.ts'
import { readSeries, type ShownSeries } from '#owner/mailings/series/figures.ts'
import { releaseSeries } from '#owner/mailings/series/release-series.ts'
import type { SeriesContext } from '#owner/mailings/series/series.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Transaction } from '#server/database/database.ts'
import type { SiteHolder } from '#server/site/served-site.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import { wordingsOf } from '#server/subscribers/wordings.ts'
import { shortTemplate } from '../server/queue-mails.ts'
import { makeMailingList, type MailingList } from './mailing-list.ts'

/** A mailing list whose people can agree to news, and a server that releases the series. */
export interface SeriesList extends MailingList {
  /** The context that a change of the series takes. */
  series: SeriesContext
  /** Turns somebody's news on or off. */
  turn(identity: string, to: 'on' | 'off'): Promise<boolean>
  /** `uptimeMs`: of the server. */
  release(uptimeMs?: number): Promise<void>
  change<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** They sign up and agree at the same moment. */
  agree(...names: string[]): Promise<void>
  /** Delivers once a day, from day `from` to day `to`. */
  daysPass(to: number, from?: number): Promise<void>
  /** The subjects of all mails that were tried, in order. */
  subjects(): string[]
  /** The figures as the owner sees them. */
  shown(): Promise<ShownSeries>
}

const hourMs = 60 * 60_000
const wording = wordingsOf(defaultContent).news.switch

// The parts that a release reads.
const frame = { subject: '', html: '{body}', text: '{body}\n{reason}', attributes: {} }
const current = { content: defaultContent, mails: { announcement: null, letter: frame } }
const site = { current } as unknown as SiteHolder

export async function makeSeriesList(
  environment: Record<string, string> = {},
): Promise<SeriesList> {
  const list = await makeMailingList({ LIMIT_SITE_MAILS_PER_HOUR: 'off', ...environment })
  const { database, now } = list
  const series: SeriesContext = {
    database,
    now,
    content: defaultContent,
    compose: ({ subject, text }) => ({ ...shortTemplate, subject, text }),
  }
  const turn = (identity: string, to: 'on' | 'off') => turnNews(list, identity, to)
  const release = (uptimeMs = hourMs) => releaseSeries({ ...list.context, site }, uptimeMs)
  /** Returns how many mails were handed over. */
  const deliver = async () => {
    await release()
    return list.deliver()
  }
  return {
    ...list,
    series,
    turn,
    release,
    deliver,
    change: <Result>(work: (transaction: Transaction) => Promise<Result>) =>
      database.transaction(work),
    async agree(...names) {
      await list.signUp(names, { at: now() })
      for (const name of names) await turn(name, 'on')
    },
    async daysPass(to, from = 0) {
      for (let day = from; day <= to; day += 1) {
        list.at(day * dayMs)
        await deliver()
      }
    },
    subjects: () => list.mailer.attempts.map(({ message }) => message.subject),
    shown: () => readSeries(database, defaultContent),
  }
}

function turnNews(
  { database, now }: Pick<MailingList, 'database' | 'now'>,
  identity: string,
  to: 'on' | 'off',
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const row = await transaction.row<Subscriber>(
      sql`select * from subscribers where identity = ${identity}`,
    )
    return switchAnnouncements(transaction, row!, to, { now: now(), wording })
  })
}
