import { join } from 'node:path'
import sql from 'sql-template-tag'
import { defaultContent } from '#content/content.ts'
import { series } from '#content/mail/series.ts'
import { finishJob } from '#owner/acts/jobs/run-jobs.ts'
import { importAct, startImport } from '#owner/people/import/import-people.ts'
import { readImport } from '#owner/people/import/read-import.ts'
import { tryImport } from '#owner/people/import/try-import.ts'
import { changeMailing } from '#owner/mailings/change-mailing.ts'
import { addMailing, listMailings } from '#owner/mailings/mailings.ts'
import { mailingRules } from '#owner/mailings/sending/may-go.ts'
import { sendMailings } from '#owner/mailings/sending/send-mailings.ts'
import { addSeries } from '#owner/mailings/series.ts'
import { configOf } from '#owner/acts/owned-database.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Database } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { Worker } from '#server/deliveries/worker/worker.ts'
import { sender } from '../../rigs/server/queue-mails.ts'
import { createLog } from '#server/log.ts'
import type { SiteHolder } from '#server/site/served-site.ts'
import { Counts } from '#server/statistics/counts.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { wordingsOf } from '#server/subscribers/wordings.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { blockInbox, leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { newToken, type Subscriber } from '#server/subscribers/subscribers.ts'
import { eventually } from '../../rigs/eventually.ts'
import { programmableMailer } from '../../rigs/mail/programmable-mailer.ts'
import { isMailUnderWay } from '../../rigs/server/rows.ts'
import { ownerOf } from '../../rigs/owner/owner-commands.ts'
import { addPeople } from '../../rigs/server/people.ts'
import { type ChangeOfMind, type Import, livesOf, type PersonsAct } from './lives.ts'

const wording = wordingsOf(defaultContent).news.switch

const hourMs = 60 * 60_000
const start = Date.UTC(2026, 0, 5)
const days = 21

export interface HandedOver {
  address: string
  subject: string
  messageId: string
}

interface SentMail extends HandedOver {
  /** ms since 1970. */
  at: number
}

/** One person's time with an unbroken consent. Times are ms since 1970. */
interface Consent {
  address: string
  /** The days of the series count from here. */
  from: number
  /** When it became known here: an imported person agreed before. */
  since: number
  end: number
}

export interface ThreeWeeks {
  mails: SentMail[]
  consents: Consent[]
  /** Subjects of the letters by their days. */
  letters: Map<string, number>
  news: string
}

interface Options {
  /** The address of an empty database. */
  url: string
  /** It takes a backup. */
  folder: string
  people: number
  /** Hours between two looks of the server. */
  everyHours: number
  /** Delivers until it dies, once a day, and returns what it handed over. */
  die: (now: number) => Promise<HandedOver[]>
}

const news = 'News of the month'

/**
 * Moves a clock through three weeks, in which people join, agree, change their mind, leave, are
 * imported and erased; a worker dies each day, an announcement goes out in the second week, and a
 * backup of two days before is restored.
 */
export async function liveThreeWeeks(options: Options): Promise<ThreeWeeks> {
  const site = new SimulatedSite(options)
  await site.open()
  await site.switchOn()
  const backup = join(options.folder, 'backup.db')
  for (let hour = 0; hour < days * 24; hour += options.everyHours) {
    site.at(hour)
    await site.act(hour, hour + options.everyHours)
    if (hour === 8 * 24) await site.run('backup', backup)
    if (hour === 10 * 24) await site.restore(backup)
    if (hour === 12 * 24) await site.announce()
    await site.goOn()
    await site.deliver(hour % 24 === 0)
  }
  await site.close()
  return site.result()
}

/** Delivers all that is due at a moment. `onMail` is awaited before a mail counts as taken. */
export async function deliverOnce(
  url: string,
  now: number,
  onMail: (mail: HandedOver) => Promise<void>,
): Promise<void> {
  const die = async () => []
  const site = new SimulatedSite({ url, folder: '', people: 0, everyHours: 24, die }, onMail)
  await site.open()
  site.at((now - start) / hourMs)
  await site.deliver(false)
  await site.close()
}

class SimulatedSite {
  readonly #options: Options
  readonly #mailer = programmableMailer()
  readonly #mails: SentMail[] = []
  readonly #consents: Consent[] = []
  readonly #acts: PersonsAct[]
  #database!: Database
  #now = start

  constructor(options: Options, onMail = async (_mail: HandedOver) => {}) {
    this.#options = options
    this.#acts = livesOf(options.people)
    this.#mailer.answer(async (address) => {
      const { message } = this.#mailer.attempts.at(-1)!
      const mail = { address, subject: message.subject, messageId: message.messageId }
      this.#note(mail)
      await onMail(mail)
      return { kind: 'accepted' }
    })
  }

  async open(): Promise<void> {
    this.#database = await openDatabase(this.#options.url)
    await migrate(this.#database, ownerMigrations)
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  at(hour: number): void {
    this.#now = start + hour * hourMs
  }

  async run(...words: string[]): Promise<void> {
    const { code, aside } = await ownerOf(this.#options.url, {}, { now: () => this.#now })(...words)
    if (code !== 0) throw new Error(aside)
  }

  async restore(backup: string): Promise<void> {
    await this.close()
    await this.run('restore', backup, '--yes')
    await this.open()
  }

  /** Switches all letters of the series on. */
  async switchOn(): Promise<void> {
    await addSeries(this.#database, this.#now)
    for (const { id } of await listMailings(this.#database, sql`where after_days is not null`)) {
      await changeMailing(this.#database, id, { act: 'send', now: this.#now })
    }
  }

  /** A letter to all who agreed to news. */
  async announce(): Promise<void> {
    const letter = { subject: news, words: 'Hello' }
    const now = this.#now
    const id = await this.#database.transaction((transaction) =>
      addMailing(transaction, letter, now),
    )
    await changeMailing(this.#database, id, { act: 'send', now, isStartedNow: true })
  }

  /** The acts of people in these hours. */
  async act(from: number, to: number): Promise<void> {
    for (const one of this.#acts) {
      if (one.at >= from && one.at < to) await this.#do(one)
    }
  }

  /** The owner goes on with what has paused itself: the people here block more than a real list. */
  async goOn(): Promise<void> {
    for (const { id } of await listMailings(this.#database, sql`where paused_why is not null`)) {
      await changeMailing(this.#database, id, { act: 'resume', now: this.#now })
    }
  }

  /** `dies`: first a worker dies with mail that it claimed, which goes out a minute later. */
  async deliver(dies: boolean): Promise<void> {
    if (dies) {
      for (const mail of await this.#options.die(this.#now)) this.#note(mail)
      this.#now += 60_000
    }
    await this.#sendAll()
  }

  #note(mail: HandedOver): void {
    this.#mails.push({ ...mail, at: this.#now })
  }

  async #release(): Promise<void> {
    await sendMailings(this.#context())
  }

  result(): ThreeWeeks {
    const letters = new Map([
      [series.firstAlert.subject, 1],
      [series.sideways.subject, 4],
      [series.realMoney.subject, 10],
    ])
    return { mails: this.#mails, consents: this.#consents, letters, news }
  }

  async #sendAll(): Promise<void> {
    const now = () => this.#now
    const isUnderWay = async () => {
      await this.#release()
      return isMailUnderWay(this.#database, now())
    }
    if (!(await isUnderWay())) return
    const worker = new Worker({
      ...this.#context(),
      mailConcurrency: 4,
      mailTimeoutSeconds: 30,
      siteMailsPerHour: Infinity,
      retrySeconds: [60],
      counts: new Counts(now),
      worker: newToken(),
      random: Math.random,
      sender: () => sender,
    })
    await eventually('all mail is sent', async () => !(await isUnderWay()), 600_000)
    await worker.stop(10_000)
  }

  #context() {
    const config = configOf({
      environment: { DATABASE_URL: this.#options.url, LIMIT_SITE_MAILS_PER_HOUR: 'off' },
    })
    const letter = { subject: '', html: '{body}', text: '{body}\n{reason}', attributes: {} }
    const mails = { versionLetter: letter, letter }
    return {
      config,
      database: this.#database,
      mailer: this.#mailer,
      now: () => this.#now,
      recordEvent: async () => {},
      mailings: mailingRules,
      wakeDeliveries: () => {},
      log: createLog('error', () => {}),
      // The parts that a letter is made from.
      site: { current: { content: defaultContent, mails } } as unknown as SiteHolder,
    }
  }

  async #do({ address, does }: PersonsAct): Promise<void> {
    if (does === 'import' || does === 'import-consented') await this.#import(address, does)
    else if (does === 'join') await addPeople(this.#database, [address], { at: this.#now })
    else await this.#changeMind(address, does)
    await this.#noteConsent(address)
  }

  async #changeMind(address: string, does: ChangeOfMind): Promise<void> {
    const now = this.#now
    await this.#database.transaction(async (transaction) => {
      const person = await transaction.row<Subscriber>(
        sql`select * from subscribers where identity = ${address}`,
      )
      if (!person) return
      switch (does) {
        case 'agree':
          await switchAnnouncements(transaction, person, 'on', { now, wording })
          break
        case 'refuse':
          await switchAnnouncements(transaction, person, 'off', { now, wording })
          break
        case 'leave':
          await leaveTheList(transaction, person.id, 'unsubscribed', now)
          break
        case 'block':
          await blockInbox(transaction, person, now)
          break
        case 'erase':
          await eraseSubscriber(transaction, person.id, now)
          break
        default:
          does satisfies never
      }
    })
  }

  /** Those who agreed in their former tool did so a day and a half ago. */
  async #import(address: string, does: Import): Promise<void> {
    const now = this.#now
    const consentedAt = does === 'import-consented' ? now - 1.5 * dayMs : undefined
    const read = await readImport(Buffer.from(`email\n${address}\n`), { consentedAt, now })
    const tried = await tryImport(this.#database, read)
    const id = await startImport(this.#database, tried, { campaign: '', now })
    const act = importAct({ now: () => now, recordEvent: async () => {} })
    await finishJob(this.#database, id, act, { clock: () => now })
  }

  /** The consent of a person from now on. */
  async #noteConsent(address: string): Promise<void> {
    const row = await this.#database.row<{ from: number | null }>(sql`
      select series_from as "from" from subscribers
      where identity = ${address} and state = 'active'`)
    const known = this.#consents.find((one) => one.address === address && one.end === Infinity)
    const from = row?.from ?? undefined
    if (known && known.from === from) return
    if (known) known.end = this.#now
    if (from !== undefined) this.#consents.push({ address, from, since: this.#now, end: Infinity })
  }
}
