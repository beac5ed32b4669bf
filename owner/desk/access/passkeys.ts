import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { brand } from '#content/brand.ts'
import { type Call, Refused, route } from '../call.ts'
import { object, text, textUpTo } from '../fields.ts'
import { isWithinLimit, keepSecret, newSecret, useUp } from './secrets.ts'
import { cookie, listBrowsers, readCookie, startSession } from './sessions.ts'

const challengeMs = 5 * 60_000
const challengesPerNetworkAnHour = 60
// COSE algorithms (RFC 9053, RFC 8812).
const [eddsa, es256, rs256] = [-8, -7, -257]
const cookieName = 'desk-passkey'
const notTaken = new Refused('wrong-proof', 'This passkey was not taken. Try again, or use another way in.')

export const passkeyRoutes = {
  'GET sign-in': route({
    for: 'anybody',
    answer: async (call) => ({
      hasPasskeys: (await listPasskeys(call)).length > 0,
      /** A code may not arrive. */
      isMailStuck: call.isMailStuck(),
    }),
  }),
  'POST sign-in/passkey-options': route({ for: 'anybody', answer: offerSignIn }),
  'POST sign-in/passkey': route({
    for: 'anybody',
    sent: { response: object },
    answer: (call, { response }) => signInByPasskey(call, response as AuthenticationResponseJSON), // the library checks it
  }),
  'POST passkeys/options': route({ for: 'proved', answer: offerRegistration }),
  'POST passkeys/add': route({
    for: 'proved',
    act: 'passkey-added',
    sent: { name: textUpTo(100), response: object },
    answer: (call, { name, response }) => addPasskey(call, name, response as RegistrationResponseJSON), // the library checks it
  }),
  'POST passkeys/remove': route({
    for: 'proved',
    act: 'passkey-removed',
    sent: { id: text },
    async answer(call, { id }) {
      await call.database.query.deleteFrom('desk_passkeys').where('id', '=', id).execute()
      return describeYou(call)
    },
  }),
  'GET you': route({ for: 'owner', answer: describeYou }),
}

/** Returns options that name no passkey, because the browser knows which ones it has for this site. */
async function offerSignIn(call: Call): Promise<object> {
  const name = `desk passkey ${call.network}`
  if (!(await isWithinLimit(call.database.query, name, challengesPerNetworkAnHour, call.now())))
    return new Refused('impossible', 'Too many tries from this network. Try again in an hour.')
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({ rpID: hostOf(call), userVerification: 'required' })
  await keepChallenge(call, options.challenge)
  return options
}

async function signInByPasskey(call: Call, response: AuthenticationResponseJSON) {
  const { id }: { id: unknown } = response
  if (typeof id !== 'string') return notTaken
  const expected = await takeExpected(call)
  const passkeys = call.database.query.selectFrom('desk_passkeys').selectAll()
  const passkey = await passkeys.where('id', '=', id).executeTakeFirst()
  if (!passkey || !expected) return notTaken
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyAuthenticationResponse({
    response,
    ...expected,
    credential: {
      id,
      counter: passkey.counter,
      publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
    },
  }).catch(() => undefined) // it throws for whatever is not right
  if (!verified?.verified) return notTaken
  await call.database.query
    .updateTable('desk_passkeys')
    .set({ counter: verified.authenticationInfo.newCounter, used_at: call.now() })
    .where('id', '=', id)
    .execute()
  return startSession(call, 'signed-in-by-passkey')
}

async function offerRegistration(call: Call): Promise<object> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: brand.name,
    rpID: hostOf(call),
    userName: call.ownerEmail,
    excludeCredentials: (await listPasskeys(call)).map(({ id }) => ({ id })),
    // The browser must be able to offer the passkey without a user name, and ask for finger, face or PIN.
    supportedAlgorithmIDs: [eddsa, es256, rs256],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(call, options.challenge)
  return options
}

async function addPasskey(call: Call, name: string, response: RegistrationResponseJSON) {
  const expected = await takeExpected(call)
  if (!expected) return notTaken
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyRegistrationResponse({ response, ...expected }).catch(() => undefined) // as above
  if (!verified?.verified) return notTaken
  const { id, publicKey, counter } = verified.registrationInfo.credential
  const public_key = Buffer.from(publicKey).toString('base64url')
  await call.database.query
    .insertInto('desk_passkeys')
    .values({ id, public_key, counter, name, made_at: call.now(), used_at: null })
    .execute()
  return describeYou(call)
}

async function describeYou(call: Call) {
  return {
    ownerEmail: call.ownerEmail,
    passkeys: await listPasskeys(call),
    browsers: await listBrowsers(call),
  }
}

function listPasskeys({ database }: Call) {
  return database.query
    .selectFrom('desk_passkeys')
    .select(['id', 'name', 'made_at as madeAt', 'used_at as usedAt'])
    .orderBy('made_at', 'desc')
    .execute()
}

/** Returns the relying party from the configuration, because a request's Host header proves nothing. */
function hostOf({ config }: Call): string {
  return new URL(config.publicUrl).hostname
}

/** Stores a challenge and binds it to the browser by a cookie. */
async function keepChallenge(call: Call, challenge: string): Promise<void> {
  const browser = newSecret()
  const ends_at = call.now() + challengeMs
  call.headers['set-cookie'] = cookie(call, cookieName, browser, challengeMs)
  await keepSecret(call.database.query, browser, {
    kind: 'challenge',
    value: challenge,
    tries_left: 1,
    ends_at,
  })
}

/** Returns undefined if this browser has no challenge, or has used it up. */
async function takeExpected(call: Call) {
  const browser = readCookie(call, cookieName)
  const challenge = await useUp(call.database.query, browser, 'challenge', call.now())
  if (challenge === undefined) return undefined
  const expectedRPID = hostOf(call)
  return { expectedChallenge: challenge, expectedOrigin: call.config.publicUrl, expectedRPID }
}
