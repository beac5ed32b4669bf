import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { clockToleranceMs } from '#server/database/clock.ts'
import type { Reader } from '#server/database/database.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/errors.ts'
import type { DeskRequest, OwnerRequest } from '#owner/acts/desk-request.ts'
import { originOf, readCookie, setCookie } from './cookies.ts'
import { newSecret, spendChallenge, write } from './secrets.ts'
import { startSession } from './sessions.ts'

const challengeMs = 5 * 60_000
const cookieName = 'desk-passkey'

export interface Passkey {
  id: string
  name: string
  /** ms since 1970. */
  madeAt: number
  usedAt: number | null
}

/** The answer of a browser's passkey. The library checks the rest. */
export const passkeyAnswer = z.looseObject({ id: z.base64url().max(10_000) })
type PasskeyAnswer = z.infer<typeof passkeyAnswer>

/**
 * Returns options that name no passkey, because the browser knows which ones it has for this site.
 */
export async function offerSignIn(deskRequest: DeskRequest) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    challenge: newChallenge(deskRequest),
    rpID: usableOrigin(deskRequest).hostname,
    userVerification: 'required',
  })
}

export async function signInByPasskey(
  deskRequest: DeskRequest,
  answer: PasskeyAnswer,
): Promise<void> {
  const { database, now } = deskRequest.server
  const challenge = readChallenge(deskRequest)
  const passkey = await database.row<{ public_key: string; counter: number }>(
    sql`select public_key, counter from desk_passkeys where id = ${answer.id}`,
  )
  if (!passkey) throw notAccepted()
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const publicKey = Uint8Array.from(Buffer.from(passkey.public_key, 'base64url'))
  const verified = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON, // the library checks it
    ...challenge.expected,
    credential: { id: answer.id, counter: passkey.counter, publicKey },
  }).catch(() => undefined) // it throws for whatever is not right
  if (!verified?.verified) throw notAccepted()
  if (!(await spendChallenge(database, challenge.cookie, challenge.endsAt))) throw notAccepted()
  const { newCounter } = verified.authenticationInfo
  await write(
    database,
    sql`update desk_passkeys set counter = ${newCounter}, used_at = ${now()} where id = ${answer.id}`,
  )
  await startSession(deskRequest, { action: 'Signed in with a passkey', provedAt: now() })
}

export async function offerRegistration(deskRequest: OwnerRequest) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const passkeys = await listPasskeys(deskRequest.server.database)
  return generateRegistrationOptions({
    challenge: newChallenge(deskRequest),
    rpName: deskRequest.server.site.current.content.brand.name,
    rpID: usableOrigin(deskRequest).hostname,
    userName: deskRequest.ownerEmail,
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    // The browser must be able to offer the passkey without a user name, and ask for finger, face
    // or PIN.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

export async function addPasskey(deskRequest: OwnerRequest, answer: PasskeyAnswer): Promise<void> {
  const { database, now } = deskRequest.server
  const challenge = readChallenge(deskRequest)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyRegistrationResponse({
    response: answer as unknown as RegistrationResponseJSON, // the library checks it
    ...challenge.expected,
  }).catch(() => undefined) // it throws for whatever is not right
  if (!verified?.verified) throw notAccepted()
  if (!(await spendChallenge(database, challenge.cookie, challenge.endsAt))) throw notAccepted()
  const { id, publicKey, counter } = verified.registrationInfo.credential
  const key = Buffer.from(publicKey).toString('base64url')
  await database.transaction(async (transaction) => {
    await transaction.run(sql`
      insert into desk_passkeys (id, public_key, counter, name, made_at)
      values (${id}, ${key}, ${counter}, ${deskRequest.session.browser}, ${now()})`)
    await recordActionIn(transaction, { at: now(), action: 'Added a passkey', about: '' })
  })
}

export function removePasskey({ server }: OwnerRequest, id: string): Promise<void> {
  const { database, now } = server
  return database.transaction(async (transaction) => {
    await transaction.run(sql`delete from desk_passkeys where id = ${id}`)
    await recordActionIn(transaction, { at: now(), action: 'Removed a passkey', about: '' })
  })
}

/** The newest first. */
export function listPasskeys(reader: Reader): Promise<Passkey[]> {
  return reader.rows<Passkey>(sql`
    select id, name, made_at as "madeAt", used_at as "usedAt" from desk_passkeys
    order by made_at desc`)
}

function notAccepted(): CommandError {
  return new CommandError('This passkey was not accepted. Try again, or sign in with a code.')
}

/** Why a browser cannot use a passkey where the desk is open. Null: it can. */
export function passkeyObstacle(deskRequest: DeskRequest): string | null {
  const { origin, hostname } = originOf(deskRequest)
  const openAt = deskRequest.request.headers.origin ?? origin
  if (openAt !== origin) {
    return `Passkeys belong to ${origin}. This desk is open at ${openAt}: open it there.`
  }
  const address = hostname.replaceAll(/[[\]]/g, '')
  if (isIP(address) === 0) return null
  return `Passkeys need a host name, and this desk is open at an IP address, ${address}.`
}

function usableOrigin(deskRequest: DeskRequest): URL {
  const obstacle = passkeyObstacle(deskRequest)
  if (obstacle !== null) throw new CommandError(obstacle)
  return originOf(deskRequest)
}

/**
 * A challenge is a keyed hash of the browser's cookie, which holds its end. Nothing is stored until
 * it is used, so strangers may ask for as many as they like.
 */
function newChallenge(deskRequest: DeskRequest): Uint8Array<ArrayBuffer> {
  const endsAt = deskRequest.server.now() + challengeMs
  const cookie = `${endsAt}.${newSecret()}`
  setCookie(deskRequest, cookieName, cookie, challengeMs)
  return Uint8Array.from(challengeOf(deskRequest, cookie))
}

/** Throws if this browser has no challenge, or its time is over. */
function readChallenge(deskRequest: DeskRequest) {
  const cookie = readCookie(deskRequest, cookieName)
  const { origin, hostname } = originOf(deskRequest)
  const endsAt = Number(cookie.split('.')[0]) // 0 or NaN, which are over, if it is not ours
  const now = deskRequest.server.now()
  // An end that was changed in the cookie gives another challenge.
  const isOpen = endsAt > now && endsAt <= now + challengeMs + clockToleranceMs
  if (!isOpen) throw notAccepted()
  return {
    cookie,
    endsAt,
    expected: {
      expectedChallenge: challengeOf(deskRequest, cookie).toString('base64url'),
      expectedOrigin: origin,
      expectedRPID: hostname,
    },
  }
}

function challengeOf({ server }: DeskRequest, cookie: string): Buffer {
  return createHmac('sha256', server.secret).update(`desk passkey ${cookie}`).digest()
}
