import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { expect, test } from 'vitest'
import { deskApp, deskBrowser, signedIn } from '#rigs/owner/test-desk.ts'
import { ownOrigin } from '#rigs/server/test-app.ts'

const refused = { status: 401, body: { error: { code: 'wrong-proof' } } }
const proofNeeded = { status: 403, body: { error: { code: 'proof-needed' } } }

test('a passkey made at the desk signs in another browser, and is proof', async () => {
  const { app, key } = await deskWithPasskey()
  const browser = deskBrowser(app)
  expect((await browser.call('GET sign-in', {})).body).toEqual({ hasPasskeys: true, isMailStuck: false })
  const response = key.assert(await challengeOf(browser))
  expect(await browser.call('POST sign-in/passkey', { response })).toMatchObject({ status: 200 })
  const { body } = await browser.call('GET you', {})
  expect(body.passkeys).toMatchObject([{ name: 'This laptop', usedAt: expect.any(Number) }])
  const { body: audit } = await browser.call('GET audit', {})
  expect(audit.acts.map(({ act }) => act).slice(0, 2)).toEqual(['signed-in-by-passkey', 'passkey-added'])
})

test('a challenge works once, for 5 minutes, and in the browser that asked for it', async () => {
  const { app, key } = await deskWithPasskey()
  const browser = deskBrowser(app)
  const response = key.assert(await challengeOf(browser))
  const other = deskBrowser(app)
  await challengeOf(other)
  expect(await other.call('POST sign-in/passkey', { response })).toMatchObject(refused)
  const twice = await Promise.all([1, 2].map(() => browser.call('POST sign-in/passkey', { response })))
  expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  const late = key.assert(await challengeOf(browser))
  app.clock.advance(5 * 60_000)
  expect(await browser.call('POST sign-in/passkey', { response: late })).toMatchObject(refused)
})

test.each([
  ['another site', { origin: 'https://evil.example' }],
  ['another relying party', { rpId: 'evil.example' }],
  ['another key', { key: newKey() }],
  ['no finger, face or PIN', { flags: 0x01 }],
])('an answer made with %s does not sign in', async (_what, made) => {
  const { app, key } = await deskWithPasskey()
  const browser = deskBrowser(app)
  const response = key.assert(await challengeOf(browser), made)
  expect(await browser.call('POST sign-in/passkey', { response })).toMatchObject(refused)
  expect((await browser.call('GET session', {})).status).toBe(401)
})

test('making and removing a passkey need a fresh proof', async () => {
  const { app, desk, key } = await deskWithPasskey()
  app.clock.advance(15 * 60_000)
  expect(await desk.call('POST passkeys/options', {})).toMatchObject(proofNeeded)
  expect(await desk.call('POST passkeys/remove', { id: key.id })).toMatchObject(proofNeeded)
  await desk.signIn()
  expect((await desk.call('POST passkeys/remove', { id: key.id })).body.passkeys).toEqual([])
  const browser = deskBrowser(app)
  const response = key.assert(await challengeOf(browser))
  expect(await browser.call('POST sign-in/passkey', { response })).toMatchObject(refused)
})

async function deskWithPasskey() {
  const app = await deskApp()
  const desk = await signedIn(app)
  const key = authenticator()
  const { body } = await desk.call('POST passkeys/options', {})
  const response = key.attest(challengeIn(body))
  const added = await desk.call('POST passkeys/add', { name: 'This laptop', response })
  expect(added).toMatchObject({ status: 200, body: { passkeys: [{ id: key.id, usedAt: null }] } })
  return { app, desk, key }
}

async function challengeOf(browser: ReturnType<typeof deskBrowser>): Promise<string> {
  return challengeIn((await browser.call('POST sign-in/passkey-options', {})).body)
}

function challengeIn(options: object): string {
  return 'challenge' in options ? String(options.challenge) : ''
}

function newKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** Does what a phone or a laptop does (WebAuthn Level 3, 6 and 7). Flags: user present 1, verified 4, key attached 64. */
function authenticator() {
  const own = newKey()
  const id = randomBytes(16)
  const clientData = (type: string, challenge: string, origin = ownOrigin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = (flags: number, rpId = 'bot.example') =>
    Buffer.concat([sha256(rpId), Buffer.from([flags, 0, 0, 0, 0])])
  const answer = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    ),
  })
  return {
    id: id.toString('base64url'),
    attest(challenge: string) {
      const { x = '', y = '' } = own.publicKey.export({ format: 'jwk' })
      const coordinates: [number, Uint8Array][] = [
        [-2, bytesOf(x)],
        [-3, bytesOf(y)],
      ]
      const cose = new Map<number, number | Uint8Array>([[1, 2], [3, -7], [-1, 1], ...coordinates])
      const length = Buffer.from([0, id.length])
      const attached = Buffer.concat([authData(0x45), Buffer.alloc(16), length, id, isoCBOR.encode(cose)])
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Uint8Array.from(attached)],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge),
        attestationObject: Buffer.from(isoCBOR.encode(attestation)),
      })
    },
    assert(
      challenge: string,
      made: { origin?: string; rpId?: string; flags?: number; key?: ReturnType<typeof newKey> } = {},
    ) {
      const clientDataJSON = clientData('webauthn.get', challenge, made.origin)
      const authenticatorData = authData(made.flags ?? 0x05, made.rpId)
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      const signature = sign('sha256', signed, (made.key ?? own).privateKey)
      return answer({ clientDataJSON, authenticatorData, signature })
    },
  }
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'base64url'))
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
