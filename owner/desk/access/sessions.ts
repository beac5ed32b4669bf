import type { FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { isLoopback } from '#server/configuration/loopback.ts'
import type { Database } from '#server/database/database.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'
import type { Call, DeskContext, Session } from '../call.ts'
import { recordAct } from './audit.ts'
import { hashOf, newSecret, write } from './secrets.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const idleMs = 12 * hourMs
const maxAgeMs = 30 * 24 * hourMs
const knownMs = 365 * 24 * hourMs
const proofMs = 15 * minuteMs
const actsKeptMs = 3 * 366 * 24 * hourMs

/**
 * Starts a session that replaces the browser's current one, with a new cookie. `act`: for the
 * audit.
 */
export async function startSession(call: Call, act: string): Promise<void> {
  const { database, request, now } = call
  const [secret, at] = [newSecret(), now()]
  await database.transaction(async (transaction) => {
    await transaction.run(
      sql`delete from desk_sessions where hash = ${hashOf(readCookie(call, 'desk'))}`,
    )
    await transaction.run(sql`
      insert into desk_sessions (hash, browser, signed_in_at, seen_at)
      values (${hashOf(secret)}, ${browserOf(request)}, ${at}, ${at})`)
  })
  await recordAct(database, at, act)
  setCookie(call, 'desk', secret, knownMs)
}

/**
 * Returns the session of a request, and records its use at most once a minute. A GET counts too: a
 * reader is not idle.
 */
export async function readSession(call: Call): Promise<Session | undefined> {
  const { database, now } = call
  const [hash, at] = [hashOf(readCookie(call, 'desk')), now()]
  const session = (await liveSessions(database, at)).find((one) => one.hash === hash)
  if (session && session.seen_at < at - minuteMs) {
    await write(database, sql`update desk_sessions set seen_at = ${at} where hash = ${hash}`)
  }
  return session
}

/** The row and the cookie of a session that is over tell that the owner was in this browser. */
export async function wasSignedInBefore(call: Call): Promise<boolean> {
  const hash = hashOf(readCookie(call, 'desk'))
  return (
    (await call.database.row(sql`select 1 from desk_sessions where hash = ${hash}`)) !== undefined
  )
}

/** A keyed hash of the client's network: the /48 of IPv6, all of which one stranger may hold. */
export function networkOf({ gate, request }: Pick<Call, 'gate' | 'request'>): string {
  const { network, widerNetwork } = gate.networksOf(request.raw)
  return widerNetwork ?? network
}

export function isProofFresh({ signed_in_at }: Session, now: number): boolean {
  return now < signed_in_at + proofMs
}

/** The newest first. */
export async function listBrowsers({ database, now }: DeskContext, { hash: own }: Session) {
  const sessions = await liveSessions(database, now())
  return sessions.map(({ hash, ...session }) => ({ ...session, isThis: hash === own }))
}

export async function signOut(call: Call, { hash }: Session): Promise<void> {
  await write(
    call.database,
    sql`update desk_sessions set signed_in_at = 0, browser = '' where hash = ${hash}`,
  )
}

/**
 * Ends all sessions, pending codes and links, and the favour of browsers that were signed in
 * before.
 */
export async function signOutEverywhere(call: Call): Promise<void> {
  await call.database.transaction(async (transaction) => {
    await transaction.run(sql`delete from desk_sessions`)
    await transaction.run(sql`delete from desk_secrets`)
  })
  setCookie(call, 'desk', '', 0)
}

/**
 * Ends sessions, secrets and passkeys after a change of OWNER_EMAIL, so that the former owner
 * cannot open the desk.
 */
export async function forgetFormerOwner(database: Database, ownerEmail: string): Promise<void> {
  const owner = hashOf(ownerEmail)
  if ((await readSetting(database, 'desk-owner')) === owner) return
  await database.transaction(async (transaction) => {
    for (const table of [sql`desk_sessions`, sql`desk_secrets`, sql`desk_passkeys`]) {
      await transaction.run(sql`delete from ${table}`)
    }
    await writeSetting(transaction, 'desk-owner', owner)
  })
}

export async function dropEnded(database: Database, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.run(sql`delete from desk_secrets where ends_at <= ${now}`)
    await transaction.run(sql`delete from desk_sessions where seen_at <= ${now - knownMs}`)
    await transaction.run(sql`delete from desk_audit where at < ${now - actsKeptMs}`)
  })
}

/** A handful: one for each of the owner's browsers. */
function liveSessions(database: Database, now: number) {
  return database.rows<Session>(sql`
    select hash, browser, signed_in_at, seen_at from desk_sessions
    where seen_at > ${now - idleMs} and signed_in_at > ${now - maxAgeMs} order by signed_in_at desc`)
}

/** Browsers refuse `__Host-` without `Secure`, and some refuse `Secure` from http://localhost. */
function cookieName({ config }: Call, name: string): string {
  const { protocol, hostname } = new URL(config.publicUrl)
  return protocol === 'http:' && isLoopback(hostname) ? name : `__Host-${name}`
}

export function setCookie(call: Call, name: string, value: string, ms: number): void {
  const fullName = cookieName(call, name)
  const options = { path: '/', maxAge: ms / 1000, httpOnly: true, sameSite: 'strict' } as const
  call.reply.setCookie(fullName, value, { ...options, secure: fullName !== name })
}

/** Empty: there is none. */
export function readCookie(call: Call, name: string): string {
  return call.request.cookies[cookieName(call, name)] ?? ''
}

/** The order matters: Edge also names Chrome, and Chrome names Safari. */
function browserOf({ headers: { 'user-agent': agent = '' } }: FastifyRequest): string {
  const nameIn = (patterns: Record<string, RegExp>) =>
    Object.keys(patterns).find((name) => patterns[name]!.test(agent))
  const browser = nameIn({
    Edge: /Edg/,
    Firefox: /Firefox|FxiOS/,
    Chrome: /Chrom|CriOS/,
    Safari: /Safari/,
  })
  const phones = { iOS: /iPhone|iPad/, Android: /Android/ }
  const system = nameIn({ ...phones, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ })
  return [browser ?? 'A browser', system].filter(Boolean).join(' on ')
}
