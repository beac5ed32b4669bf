import type { IncomingMessage } from 'node:http'
import { type Connection, inTransaction } from '#server/database/database.ts'
import { isLoopback } from '#server/configuration/loopback.ts'
import { readOrSet, settingNames, writeSetting } from '#server/database/settings.ts'
import type { Call, DeskContext } from '../call.ts'
import { recordAct } from './audit.ts'
import { hashOf, newSecret } from './secrets.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const idleMs = 12 * hourMs
const maxAgeMs = 30 * 24 * hourMs
const proofMs = 15 * minuteMs

/** Starts a session that replaces the browser's current one, with a new cookie. `act`: for the audit. */
export async function startSession(call: Call, act: string) {
  const { database, request, now, headers } = call
  const [secret, at] = [newSecret(), now()]
  const session = { hash: hashOf(secret), browser: browserOf(request), signed_in_at: at, seen_at: at }
  await inTransaction(database.query, async (transaction) => {
    await dropSession(transaction, hashOf(readCookie(call, 'desk')))
    await transaction.insertInto('desk_sessions').values(session).execute()
    await recordAct(transaction, at, act)
  })
  headers['set-cookie'] = cookie(call, 'desk', secret, maxAgeMs)
  return describeSession(session)
}

/** Returns the session of a request, and records its use at most once a minute. A GET counts too: a reader is not idle. */
export async function readSession(call: Pick<Call, 'request' | 'config' | 'database' | 'now'>) {
  const { database, now } = call
  const secret = readCookie(call, 'desk')
  if (secret === '') return undefined
  const at = now()
  const session = await live(database.query, at).where('hash', '=', hashOf(secret)).executeTakeFirst()
  if (session && session.seen_at < at - minuteMs)
    await database.query
      .updateTable('desk_sessions')
      .set({ seen_at: at })
      .where('hash', '=', session.hash)
      .execute()
  return session
}

export function isProofFresh({ signed_in_at }: { signed_in_at: number }, now: number): boolean {
  return now < signed_in_at + proofMs
}

export function describeSession({ signed_in_at }: { signed_in_at: number }) {
  return { proofEndsAt: signed_in_at + proofMs }
}

/** The newest first. */
export async function listBrowsers({ database, now, session }: Call) {
  const sessions = await live(database.query, now()).orderBy('signed_in_at', 'desc').execute()
  return sessions.map(({ hash, browser, signed_in_at, seen_at }) => ({
    isThis: hash === session.hash,
    browser,
    signedInAt: signed_in_at,
    seenAt: seen_at,
  }))
}

/** Ends this session or all of them, and removes the cookie. */
export async function endSessions(call: Call, which: 'this' | 'all') {
  if (which === 'this') await dropSession(call.database.query, call.session.hash)
  else await call.database.query.deleteFrom('desk_sessions').execute()
  call.headers['set-cookie'] = cookie(call, 'desk', '', 0)
  return {}
}

/** Deletes sessions, secrets and passkeys after a change of OWNER_EMAIL, so that the former owner cannot open the desk. */
export async function forgetFormerOwner(connection: Connection, ownerEmail: string): Promise<void> {
  const owner = hashOf(ownerEmail)
  if ((await readOrSet(connection, settingNames.deskOwner, owner)) === owner) return
  for (const table of ['desk_sessions', 'desk_secrets', 'desk_passkeys'] as const)
    await connection.deleteFrom(table).execute()
  await writeSetting(connection, settingNames.deskOwner, owner)
}

export async function dropEndedSessions(connection: Connection, now: number): Promise<void> {
  await connection
    .deleteFrom('desk_sessions')
    .where(({ eb, or }) => or([eb('seen_at', '<=', now - idleMs), eb('signed_in_at', '<=', now - maxAgeMs)]))
    .execute()
}

function live(connection: Connection, now: number) {
  return connection
    .selectFrom('desk_sessions')
    .selectAll()
    .where('seen_at', '>', now - idleMs)
    .where('signed_in_at', '>', now - maxAgeMs)
}

async function dropSession(connection: Connection, hash: string): Promise<void> {
  await connection.deleteFrom('desk_sessions').where('hash', '=', hash).execute()
}

/** Browsers refuse `__Host-` without `Secure`, and some refuse `Secure` from http://localhost. */
function cookieName({ config }: Pick<DeskContext, 'config'>, name: string): string {
  const { protocol, hostname } = new URL(config.publicUrl)
  return protocol === 'http:' && isLoopback(hostname) ? name : `__Host-${name}`
}

export function cookie(
  context: Pick<DeskContext, 'config'>,
  name: string,
  value: string,
  ms: number,
): string {
  const fullName = cookieName(context, name)
  const secure = fullName === name ? '' : '; Secure'
  return `${fullName}=${value}; Path=/; Max-Age=${ms / 1000}; HttpOnly; SameSite=Strict${secure}`
}

/** Empty: there is none. */
export function readCookie(call: Pick<Call, 'request' | 'config'>, name: string): string {
  const start = `${cookieName(call, name)}=`
  const pairs = (call.request.headers.cookie ?? '').split('; ')
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? ''
}

/** Returns a name such as `Firefox on Linux`. The order matters: Edge also names Chrome, and Chrome names Safari. */
function browserOf({ headers: { 'user-agent': agent = '' } }: IncomingMessage): string {
  const nameIn = (patterns: Record<string, RegExp>) =>
    Object.keys(patterns).find((name) => patterns[name]!.test(agent))
  const browser = nameIn({ Edge: /Edg/, Firefox: /Firefox|FxiOS/, Chrome: /Chrom|CriOS/, Safari: /Safari/ })
  const phones = { iOS: /iPhone|iPad/, Android: /Android/ }
  const system = nameIn({ ...phones, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ })
  return [browser ?? 'A browser', system].filter(Boolean).join(' on ')
}
