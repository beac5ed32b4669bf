import sql, { type Sql } from 'sql-template-tag'
import { clockToleranceMs } from '#server/database/clock.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { deleteSetting, readSetting, writeSetting } from '#server/database/settings.ts'
import {
  type DeskRequest,
  type OwnerRequest,
  type Session,
  signedInAtSetting,
} from '#owner/acts/desk-request.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { nameOfBrowser } from './browser-name.ts'
import { readCookie, setCookie } from './cookies.ts'
import { hashOf, newSecret, write } from './secrets.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const idleMs = 12 * hourMs
const maxAgeMs = 30 * 24 * hourMs
const knownMs = 365 * 24 * hourMs
const auditKeptMs = 3 * 366 * 24 * hourMs

/** The setting with the hash of the newest first link, so that all instances know the same one. */
export const startSetting = 'desk-start'

interface SessionStart {
  /** For the audit. */
  action: string
  /** ms since 1970. */
  provedAt: number
}

/** Starts a session that replaces the browser's current one, with a new cookie. */
export async function startSession(
  deskRequest: DeskRequest,
  { action, provedAt }: SessionStart,
): Promise<void> {
  const { database, now } = deskRequest.server
  const secret = newSecret()
  const at = now()
  const browser = nameOfBrowser(deskRequest.request.headers['user-agent'])
  await database.transaction(async (transaction) => {
    await transaction.run(
      sql`delete from desk_sessions where hash = ${hashOf(readCookie(deskRequest, 'desk'))}`,
    )
    await transaction.run(sql`
      insert into desk_sessions (hash, browser, signed_in_at, seen_at)
      values (${hashOf(secret)}, ${browser}, ${provedAt}, ${at})`)
    await writeSetting(transaction, signedInAtSetting, deskRequest.request.host)
    await recordActionIn(transaction, { at, action, about: '' })
  })
  setCookie(deskRequest, 'desk', secret, knownMs)
}

/**
 * Returns the session of a request, and records its use at most once a minute. A GET counts too: a
 * reader is not idle.
 */
export async function readSession(deskRequest: DeskRequest): Promise<Session | undefined> {
  const { database, now } = deskRequest.server
  const hash = hashOf(readCookie(deskRequest, 'desk'))
  const at = now()
  const sessions = await liveSessions(database, at)
  const session = sessions.find((one) => one.hash === hash)
  if (session && session.seen_at < at - minuteMs) {
    await write(database, sql`update desk_sessions set seen_at = ${at} where hash = ${hash}`)
  }
  return session
}

/** The row and the cookie of a session that is over tell that the owner was in this browser. */
export async function wasSignedInBefore(deskRequest: DeskRequest): Promise<boolean> {
  const hash = hashOf(readCookie(deskRequest, 'desk'))
  const row = await deskRequest.server.database.row(
    sql`select 1 from desk_sessions where hash = ${hash}`,
  )
  return row !== undefined
}

/** The newest first. There is a handful: one for each of the owner's browsers. */
export function liveSessions(reader: Reader, now: number): Promise<Session[]> {
  return reader.rows<Session>(sql`
    select hash, browser, signed_in_at, seen_at from desk_sessions
    where seen_at > ${now - idleMs} and signed_in_at > ${now - maxAgeMs}
    order by signed_in_at desc`)
}

/** Its row stays: the owner was in this browser, and will be again. */
export function signOut({ server, session }: OwnerRequest): Promise<void> {
  const { database, now } = server
  return database.transaction(async (transaction) => {
    await transaction.run(sql`
      update desk_sessions set signed_in_at = 0, browser = '' where hash = ${session.hash}`)
    await recordActionIn(transaction, { at: now(), action: 'Signed out', about: '' })
  })
}

/** Ends the session of another browser, which may be lost or stolen: nothing of it is kept. */
export function signOutBrowser({ server }: OwnerRequest, hash: string): Promise<void> {
  const { database, now } = server
  return database.transaction(async (transaction) => {
    await transaction.run(sql`delete from desk_sessions where hash = ${hash}`)
    await recordActionIn(transaction, {
      at: now(),
      action: 'Signed out another browser',
      about: '',
    })
  })
}

/**
 * Ends all sessions, pending codes and links, and the favour of browsers that were signed in
 * before. A challenge that is used up stays so.
 */
export async function signOutEverywhere(deskRequest: OwnerRequest): Promise<void> {
  const { database, now } = deskRequest.server
  await database.transaction(async (transaction) => {
    await transaction.run(sql`delete from desk_sessions`)
    await transaction.run(sql`delete from desk_secrets where kind <> 'challenge'`)
    await recordActionIn(transaction, { at: now(), action: 'Signed out everywhere', about: '' })
  })
  setCookie(deskRequest, 'desk', '', 0)
}

/**
 * Ends sessions, secrets and passkeys after a change of OWNER_EMAIL, so that the former owner
 * cannot open the desk.
 */
export async function forgetFormerOwner(database: Database, ownerEmail: string): Promise<void> {
  if ((await readSetting(database, 'desk-owner')) === hashOf(ownerEmail)) return
  await database.transaction(async (transaction) => {
    for (const table of [sql`desk_sessions`, sql`desk_secrets`, sql`desk_passkeys`]) {
      await transaction.run(sql`delete from ${table}`)
    }
    await deleteSetting(transaction, startSetting)
    await nameOwner(transaction, ownerEmail)
  })
}

/** Stores whose sessions and passkeys these are. */
export function nameOwner(transaction: Transaction, ownerEmail: string): Promise<void> {
  return writeSetting(transaction, 'desk-owner', hashOf(ownerEmail))
}

/** Runs every hour. */
export async function deleteExpired(database: Database, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.run(sql`delete from desk_secrets where ends_at <= ${now}`)
    await transaction.run(sql`delete from desk_sessions where seen_at <= ${now - knownMs}`)
    await transaction.run(sql`delete from desk_audit where at < ${now - auditKeptMs}`)
  })
}

/**
 * A session of a clock that was ahead would live, and stay proved, until the clock gets there: it
 * ends.
 */
export function endFutureSessions(now: number): Sql {
  const future = now + clockToleranceMs
  return sql`delete from desk_sessions where seen_at > ${future} or signed_in_at > ${future}`
}
