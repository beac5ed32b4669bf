import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { brand } from '#content/brand.ts'
import { CommandError } from '../../command-line/command-context.ts'
import type { Asked, Call } from '../call.ts'
import { keepSecret, newSecret, tryOnce, write } from './secrets.ts'
import { readCookie, setCookie, startSession } from './sessions.ts'

const challengeMs = 5 * 60_000
const cookieName = 'desk-passkey'

/** What a browser's passkey answers. The library checks the rest. */
export const passkeyAnswer = z.looseObject({ id: z.base64url().max(10_000) })
type Answer = z.infer<typeof passkeyAnswer>

/**
 * Returns options that name no passkey, because the browser knows which ones it has for this site.
 */
export async function offerSignIn(call: Call) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: hostOf(call),
    userVerification: 'required',
  })
  return keepChallenge(call, options)
}

export async function signInByPasskey(call: Call, answer: Answer) {
  const expected = await takeExpected(call)
  const passkey = await call.database.row<{ public_key: string; counter: number }>(
    sql`select public_key, counter from desk_passkeys where id = ${answer.id}`,
  )
  if (!passkey) throw notAccepted()
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const publicKey = Uint8Array.from(Buffer.from(passkey.public_key, 'base64url'))
  const verified = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON, // the library checks it
    ...expected,
    credential: { id: answer.id, counter: passkey.counter, publicKey },
  }).catch(() => undefined) // it throws for whatever is not right
  if (!verified?.verified) throw notAccepted()
  const { newCounter } = verified.authenticationInfo
  await write(
    call.database,
    sql`update desk_passkeys set counter = ${newCounter}, used_at = ${call.now()} where id = ${answer.id}`,
  )
  return startSession(call, 'Signed in by a passkey')
}

export async function offerRegistration(call: Call) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: brand.name,
    rpID: hostOf(call),
    userName: call.ownerEmail,
    excludeCredentials: (await listPasskeys(call)).map(({ id }) => ({ id })),
    // The browser must be able to offer the passkey without a user name, and ask for finger, face
    // or PIN.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return keepChallenge(call, options)
}

export async function addPasskey({ ctx, input: answer }: Asked<Answer>): Promise<void> {
  const expected = await takeExpected(ctx)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const response = answer as unknown as RegistrationResponseJSON // the library checks it
  const verified = await verifyRegistrationResponse({ response, ...expected }).catch(
    () => undefined,
  ) // as above
  if (!verified?.verified) throw notAccepted()
  const { id, publicKey, counter } = verified.registrationInfo.credential
  const key = Buffer.from(publicKey).toString('base64url')
  const statement = sql`
    insert into desk_passkeys (id, public_key, counter, name, made_at)
    values (${id}, ${key}, ${counter}, ${ctx.session.browser}, ${ctx.now()})`
  await write(ctx.database, statement)
}

export async function removePasskey({ ctx, input: id }: Asked<string>): Promise<void> {
  await write(ctx.database, sql`delete from desk_passkeys where id = ${id}`)
}

/** The newest first. */
export function listPasskeys({ database }: Pick<Call, 'database'>) {
  return database.rows<{ id: string; name: string; madeAt: number; usedAt: number | null }>(
    sql`select id, name, made_at as "madeAt", used_at as "usedAt" from desk_passkeys order by made_at desc`,
  )
}

function notAccepted(): CommandError {
  return new CommandError('This passkey was not accepted. Try again, or sign in by a code.')
}

/**
 * Returns the relying party from the configuration, because a request's Host header proves nothing.
 */
function hostOf({ config }: Call): string {
  return new URL(config.publicUrl).hostname
}

/** Stores the challenge of these options and binds it to the browser by a cookie. */
async function keepChallenge<Options extends { challenge: string }>(call: Call, options: Options) {
  const browser = newSecret()
  const endsAt = call.now() + challengeMs
  setCookie(call, cookieName, browser, challengeMs)
  await keepSecret(call.database, browser, { kind: 'challenge', value: options.challenge, endsAt })
  return options
}

/** Throws if this browser has no challenge, or has used it up. */
async function takeExpected(call: Call) {
  const kept = await tryOnce(call, readCookie(call, cookieName), 'challenge')
  if (!kept) throw notAccepted()
  const expectedRPID = hostOf(call)
  return { expectedChallenge: kept.value, expectedOrigin: call.config.publicUrl, expectedRPID }
}
