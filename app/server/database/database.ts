import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { type Generated, type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

/** The columns, as the migrations make them. Times are milliseconds since 1970. */
export interface Tables {
  subscribers: {
    id: Generated<number>
    identity: string
    address: string
    abuse_key: string | null
    token: string | null
    state: 'active' | 'unsubscribed' | 'undeliverable'
    signed_up_at: number
    last_mailed_at: number
    opened_at: number | null
    form: string | null
    campaign: string | null
    /** Language of the page with the form. */
    language: string | null
    /** Hash of a row of `wordings`. */
    wording: string | null
    /** When they turned on the mail about new versions. Null: it is off. */
    announcements_agreed_at: number | null
    /** Hash of a row of `wordings`. */
    announcements_wording: string | null
    /** When they turned it off. */
    announcements_refused_at: number | null
  }
  wordings: { hash: string; content: string }
  /** Mails about a new version: owner/announcements. */
  announcements: {
    id: Generated<number>
    version: string
    audience: 'consented' | 'everyone'
    state: 'running' | 'paused' | 'cancelled' | 'done'
    template: string
    signed_up_from: number
    signed_up_before: number
    queued_up_to: Generated<number>
    is_queued: Generated<0 | 1>
    recipients: Generated<number>
    per_hour: number | null
    allowance: number
    released: Generated<number>
    hour_ends_at: Generated<number>
    judged_from: number
    complaints: Generated<number>
    paused_why: string | null
    paused_at: number | null
    started_at: number
  }
  mail_templates: { hash: string; content: string }
  deliveries: {
    id: Generated<number>
    subscriber: number
    message_id: string
    template: string
    state: 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'
    due_at: number
    queued_at: number
    finished_at: number | null
    worker: string | null
    failures: Generated<number>
    last_fault: string | null
    /** Lower ones go first: deliveries/lanes.ts. */
    lane: Generated<0 | 1 | 2 | 3 | 9>
    /** Null: mail of a sign-up. */
    announcement: number | null
  }
  blocked_addresses: { hash: string; token_hash: string; ends_at: number }
  limit_windows: {
    name: string
    used: number
    ends_at: number
    day_used: Generated<number>
    day_ends_at: Generated<number>
  }
  /** `event` is one of statistics/daily-counts.ts. */
  daily_counts: { day: string; event: string; detail: string; count: number }
  settings: { name: string; value: string }
  desk_sessions: { hash: string; browser: string; signed_in_at: number; seen_at: number }
  desk_secrets: {
    hash: string
    kind: 'code' | 'link' | 'challenge'
    value: string
    tries_left: number
    ends_at: number
  }
  desk_passkeys: {
    id: string
    public_key: string
    counter: number
    name: string
    made_at: number
    used_at: number | null
  }
  desk_audit: { id: Generated<number>; at: number; act: string; about: string }
  /** See owner/webhooks/. */
  webhook_events: {
    id: Generated<number>
    message_id: string
    type: string
    subscriber: number
    tells: 'number' | 'person' | 'address'
    occurred_at: number
    state: Generated<'queued' | 'delivered' | 'failed'>
    due_at: Generated<number>
    finished_at: number | null
    worker: string | null
    failures: Generated<number>
    last_fault: string | null
  }
}

/** A connection or a transaction: every function that runs SQL takes either. */
export type Connection = Kysely<Tables>

/** Typed queries, equal on both engines. */
export interface Database {
  engine: 'sqlite' | 'postgres'
  query: Connection
  /** Runs a script of several statements as it stands, on one connection. */
  runScript(sql: string): Promise<void>
  /** Notifies the other instances, after a commit, that deliveries are queued. With SQLite there is one process only. */
  announceDeliveries(): void
  onDeliveryQueuedElsewhere(wake: () => void): Promise<void>
  /** How long a commit may take before sign-ups are refused. */
  commitTimeoutMs: number
  /**
   * Overwrites what erased rows leave behind in the database's own files. `traces`: texts that stood in them. False if
   * that is not proved, because another process reads the old rows or the scrub would hold up too much: try again later.
   */
  scrub(traces: readonly string[] | 'unknown'): Promise<boolean>
  close(): Promise<void>
}

export function isPostgres(connection: Connection): boolean {
  return connection.getExecutor().adapter instanceof PostgresAdapter
}

/**
 * Passes many rows as one parameter, so that a statement's text (and its preparation) is the same for one row and for a thousand.
 * `columns` gives each column's type by name.
 */
export function jsonRows<Row extends object>(
  connection: Connection,
  rows: readonly Row[],
  columns: Record<keyof Row & string, 'text' | 'bigint'>,
): RawBuilder<Row> {
  const names = Object.entries(columns)
  if (isPostgres(connection)) {
    const typed = names.map(([name, type]) => `${name} ${type}`).join(', ')
    return sql`(select * from json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.raw(typed)}))`
  }
  // By position, which SQLite finds faster than by name; jsonb, so that it parses the text once.
  const keys = names.map(([name]) => name as keyof Row) // the columns are the row's
  const json = JSON.stringify(rows.map((row) => keys.map((key) => row[key])))
  const picked = names.map(([name], position) => `value ->> ${position} as ${name}`).join(', ')
  return sql`(select ${sql.raw(picked)} from jsonb_each(${json}))`
}

/** At least 96 fresh random bits as text, for each row of a statement. */
export function randomText(connection: Connection): RawBuilder<string> {
  return isPostgres(connection) ? sql`gen_random_uuid()` : sql`lower(hex(randomblob(12)))`
}

/** Passes many values as one parameter, for `in`. */
export function jsonList(
  connection: Connection,
  type: 'text' | 'bigint',
  values: readonly (string | number)[],
): RawBuilder<unknown> {
  const json = JSON.stringify(values)
  return isPostgres(connection)
    ? sql`(select value::${sql.raw(type)} from json_array_elements_text(${json}::json))`
    : sql`(select value from json_each(${json}))`
}

/** Returns the highest number that a row of the table has; 0 if it is empty. */
export async function newestId(connection: Connection, table: 'subscribers' | 'deliveries'): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`
    select max(id) as newest from ${sql.table(table)}`.execute(connection)
  return rows[0]?.newest ?? 0
}

/** The name of a stored text: 132 bits of its SHA-256. Each sign-up stores two such names, so they are short. */
export function contentHash(content: string): string {
  return hash('sha256', content, 'base64url').slice(0, 22)
}

/** Rows of the table `locks`, numbered from 0. The first one is for the site's ceiling. */
const lockCount = 4096

/**
 * Locks names until the end of the transaction, so that a count is still true when the row that depends on it is written.
 * They are locked in one order, to avoid deadlocks. SQLite has one writer and needs no locks. Rows are used instead of
 * PostgreSQL's advisory locks, because databases compatible with it have rows too.
 */
export async function lockNames(
  connection: Connection,
  names: 'site ceiling' | readonly string[],
): Promise<void> {
  if (!isPostgres(connection)) return
  const numbers = names === 'site ceiling' ? [0] : names.map((name) => 1 + (crc32(name) % (lockCount - 1)))
  const taken = jsonList(connection, 'bigint', numbers)
  await sql`select 1 from locks where number in ${taken} order by number for update`.execute(connection)
}

const maxAttempts = 10
const betweenAttemptsMs = 20

/**
 * Runs `work` in a transaction, and repeats it if PostgreSQL rolled it back to end a deadlock or to keep transactions
 * serializable (SQLSTATE class 40).
 */
export async function inTransaction<Result>(
  query: Connection,
  work: (transaction: Connection) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await query.transaction().execute(work)
    } catch (fault) {
      if (attempt === maxAttempts || !wasRolledBack(fault)) throw fault
      await sleep(Math.random() * betweenAttemptsMs * attempt)
    }
  }
}

function wasRolledBack(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && /^40...$/.test(String(fault.code))
}

/** Too many requests already wait for the database, or it takes no writes now. The caller should try again later. */
export class Unavailable extends Error {}

/** True if the database failed rather than our own code: a retry may succeed. */
export function isDatabaseFault(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false
  if (
    fault instanceof Unavailable ||
    fault.constructor.name === 'DatabaseError' ||
    /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/.test(
      fault.message,
    )
  )
    return true
  if (!('code' in fault) || typeof fault.code !== 'string') return false
  const isOfItsSocket =
    'syscall' in fault && /^(?:connect|getaddrinfo|read|write)$/.test(String(fault.syscall))
  return isOfItsSocket || /^(?:ERR_SQLITE|ECONN|ETIMEDOUT|EPIPE)/.test(fault.code)
}
