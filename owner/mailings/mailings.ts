import sql, { type Sql } from 'sql-template-tag'
import type { Reader, Transaction } from '#server/database/database.ts'

export type MailingState = 'draft' | 'scheduled' | 'sending' | 'paused' | 'done' | 'cancelled'

/** What the owner writes. */
export interface MailingWords {
  subject: string
  /** Mail programs show it after the subject. Empty: the text's first words. */
  preview: string
  /** Markdown. */
  words: string
}

/** The people a mailing goes to. `to`: those who agreed to news, or also those never asked. */
export interface Audience {
  to: 'consented' | 'everyone'
  /** Only people of these; `none`: who named none. Null: of all. */
  campaigns: string[] | null
  /** Not those who have a mail of this mailing, or of one that is it again. */
  notMailing: number | null
  /**
   * Of the kit: it tells what changed in it, and goes to people whose starter mail had an older one
   * or none. Null: to everybody.
   */
  version: string | null
  /** The day of that version, YYYY-MM-DD. */
  versionDate: string | null
}

/**
 * A row of `mailings`, whose columns owner/tables/0101-owner.sql explains. Times are ms since 1970.
 */
export interface Mailing extends MailingWords, Audience {
  id: number
  /** Of its file, at the command line. Null: it was written at the desk. */
  name: string | null
  state: MailingState
  revision: number
  changedAt: number
  /** 1: it is `notMailing` again, for those who have not had it. */
  again: 0 | 1
  /** Null: it goes out once. Else it is a letter of the series. */
  afterDays: number | null
  sendAt: number | null
  startsAt: number | null
  resumedAt: number | null
  template: string | null
  cursorAt: number
  cursorId: number
  toSend: number
  sent: number
  failed: number
  /** People who left within a day after it. */
  left: number
  pausedWhy: string | null
  endedAt: number | null
}

/** A mailing in a list, without its text. */
export interface ListedMailing extends Omit<Mailing, 'preview' | 'words'> {
  title: string
  isRemoved: boolean
}

const listed = sql`id, name, state, subject, revision, changed_at as "changedAt",
  audience as "to", campaigns, not_mailing as "notMailing", again, version,
  version_date as "versionDate", after_days as "afterDays", send_at as "sendAt",
  starts_at as "startsAt", resumed_at as "resumedAt", template, cursor_at as "cursorAt", cursor_id as "cursorId",
  to_send as "toSend", sent, failed, left_after as "left", paused_why as "pausedWhy",
  ended_at as "endedAt"`

type AsStored<Row> = Omit<Row, 'campaigns'> & { campaigns: string | null }

/** `which`: the clauses that choose and order them. */
export async function listMailings(reader: Reader, which: Sql): Promise<ListedMailing[]> {
  const rows = await reader.rows<AsStored<Omit<ListedMailing, 'title' | 'isRemoved'>>>(
    sql`select ${listed} from mailings ${which}`,
  )
  return rows.map((row) => ({
    ...withCampaigns(row),
    title: titleOf(row),
    isRemoved: isRemoved(row),
  }))
}

/** The newest that goes out once, and is on its way or has paused. */
export async function readUnderWay(reader: Reader): Promise<ListedMailing | undefined> {
  const [mailing] = await listMailings(
    reader,
    sql`where state in ('scheduled', 'sending', 'paused') and after_days is null
      order by id desc limit 1`,
  )
  return mailing
}

export async function readMailing(reader: Reader, id: number): Promise<Mailing | undefined> {
  const row = await reader.row<AsStored<Mailing>>(
    sql`select ${listed}, preview, words from mailings where id = ${id}`,
  )
  return row && withCampaigns(row)
}

function withCampaigns<Row extends { campaigns: string | null }>(row: Row) {
  const campaigns: string[] | null = row.campaigns === null ? null : JSON.parse(row.campaigns) // as saveMailing wrote it
  return { ...row, campaigns }
}

/**
 * Reads it behind a lock, so that two changes, or a change and a page of mail, follow each other.
 */
export async function lockMailing(
  transaction: Transaction,
  id: number,
): Promise<Mailing | undefined> {
  await transaction.lock(`mailing ${id}`)
  return readMailing(transaction, id)
}

/** How the owner's lists name it. */
export function titleOf({ subject, version }: Pick<Mailing, 'subject' | 'version'>): string {
  if (subject.trim() !== '') return subject
  return version === null ? 'A letter without a subject' : `Version ${version}`
}

type Standing = Pick<Mailing, 'state' | 'afterDays'>

/** True if its words may change: it has not started, or it is one of the series. */
export function isEditable({ state, afterDays }: Standing): boolean {
  return state === 'draft' || (afterDays !== null && state !== 'cancelled')
}

/** True if it goes out by itself: then a change needs the same proof as sending. */
export function isLive({ state, afterDays }: Standing): boolean {
  return afterDays !== null && state === 'sending'
}

/** True if it can be restored: nobody got it, or it is one of the series. */
export function isRemoved({
  state,
  afterDays,
  startsAt,
}: Standing & Pick<Mailing, 'startsAt'>): boolean {
  return state === 'cancelled' && (afterDays !== null || startsAt === null)
}

export interface NewMailing extends Partial<MailingWords>, Partial<Audience> {
  name?: string | undefined
  again?: 0 | 1
  afterDays?: number | undefined
  sendAt?: number | undefined
}

/** Adds a draft. Returns its number. `now`: ms since 1970. */
export function addMailing(
  transaction: Transaction,
  mailing: NewMailing,
  now: number,
): Promise<number> {
  const { name = null, again = 0, afterDays = null, sendAt = null } = mailing
  const { subject = '', preview = '', words = '', to = 'consented' } = mailing
  const { campaigns = null, notMailing = null, version = null, versionDate = null } = mailing
  return transaction.insert(sql`
    insert into mailings (name, state, subject, preview, words, changed_at, audience, campaigns,
      not_mailing, again, version, version_date, after_days, send_at)
    values (${name}, 'draft', ${subject}, ${preview}, ${words}, ${now}, ${to},
      ${campaigns && JSON.stringify(campaigns)}, ${notMailing}, ${again}, ${version},
      ${versionDate}, ${afterDays}, ${sendAt})`)
}
