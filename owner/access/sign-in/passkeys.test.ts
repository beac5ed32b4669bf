import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { takenDesk } from '#rigs/owner/taken-desk.ts'
import { deskApp, deskBrowser, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import { ownOrigin, type TestApp } from '#rigs/server/test-app.ts'

const refused = { status: 409 }
const proofNeeded = { status: 403 }

test('a passkey made at the desk signs in another browser, and is proof', async () => {
  const { app, key } = await deskWithPasskey()
  const { desk } = deskBrowser(app)
  await desk.signIn.byPasskey.mutate(key.assert(await challengeFor(desk)))
  const { passkeys, audit } = await desk.you.show.query()
  expect(passkeys).toMatchObject([{ name: 'A browser', usedAt: expect.any(Number) }])
  expect(audit.map(({ action }) => action).slice(0, 2)).toEqual([
    'Signed in with a passkey',
    'Added a passkey',
  ])
})

test('a challenge works in the browser alone that asked for it', async () => {
  const { app, key } = await deskWithPasskey()
  const { desk } = deskBrowser(app)
  const { desk: other } = deskBrowser(app)
  const answer = key.assert(await challengeFor(desk))
  await challengeFor(other)
  expect(await refusalOf(other.signIn.byPasskey.mutate(answer))).toMatchObject(refused)
})

test('a challenge works once, also if its answers are concurrent', async () => {
  const { app, key } = await deskWithPasskey()
  const { desk } = deskBrowser(app)
  const answer = key.assert(await challengeFor(desk))
  const twice = await Promise.allSettled([1, 2].map(() => desk.signIn.byPasskey.mutate(answer)))
  expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a challenge expires after 5 minutes', async () => {
  const { app, key } = await deskWithPasskey()
  const { desk } = deskBrowser(app)
  const late = key.assert(await challengeFor(desk))
  app.clock.advance(5 * 60_000)
  expect(await refusalOf(desk.signIn.byPasskey.mutate(late))).toMatchObject(refused)
})

test('a challenge that was made while the clock was ahead is over once it is set back', async () => {
  const { app, key } = await deskWithPasskey()
  const { desk } = deskBrowser(app)
  app.clock.advance(24 * 60 * 60_000)
  const answer = key.assert(await challengeFor(desk))
  app.clock.advance(-24 * 60 * 60_000)
  expect(await refusalOf(desk.signIn.byPasskey.mutate(answer))).toMatchObject(refused)
})

test.each([
  { what: 'another site', made: { origin: 'https://evil.example' } },
  { what: 'another relying party', made: { rpId: 'evil.example' } },
  { what: 'another key', made: { key: newKey() } },
  { what: 'no finger, face or PIN', made: { flags: 0x01 } },
])('an answer made with $what does not sign in', async ({ made }) => {
  const { app, key } = await deskWithPasskey()
  const { desk } = deskBrowser(app)
  const answer = key.assert(await challengeFor(desk), made)
  expect(await refusalOf(desk.signIn.byPasskey.mutate(answer))).toMatchObject(refused)
})

test('the browser is asked for a passkey of this site alone, which needs no user name but finger, face or PIN', async () => {
  const { browser, key } = await deskWithPasskey()
  const [making, using] = await Promise.all([
    browser.desk.you.passkeyOptions.mutate(),
    browser.desk.signIn.passkeyOptions.mutate(),
  ])
  expect(making).toMatchObject({
    rp: { name: brand.name, id: 'bot.example' },
    user: { name: 'owner@example.org' },
    excludeCredentials: [{ id: key.id }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  expect(using).toMatchObject({ rpId: 'bot.example', userVerification: 'required' })
})

test.each([
  { publicUrl: 'https://192.0.2.7', why: 'at an IP address, 192.0.2.7.' },
  { publicUrl: 'https://[2001:db8::7]', why: 'at an IP address, 2001:db8::7.' },
  { publicUrl: 'http://127.0.0.1:3000', why: 'at an IP address, 127.0.0.1.' },
])('at $publicUrl the desk says why there can be no passkey', async ({ publicUrl, why }) => {
  const app = await deskApp({ config: { publicUrl } })
  const browser = deskBrowser(app, { headers: { origin: publicUrl } })
  await browser.signIn()
  const words = expect.stringContaining(why)
  expect((await browser.desk.you.show.query()).passkeyObstacle).toEqual(words)
  const { you, signIn } = browser.desk
  for (const { passkeyOptions } of [you, signIn]) {
    expect(await refusalOf(passkeyOptions.mutate())).toMatchObject({ status: 409, message: words })
  }
})

test('opened at another name of the machine, the desk says which address passkeys belong to', async () => {
  const app = await deskApp({ config: { publicUrl: 'http://localhost:3000' } })
  expect(await optionsAt(app, 'http://127.0.0.1:3000')).toMatchObject({
    error: {
      message:
        'Passkeys belong to http://localhost:3000. This desk is open at http://127.0.0.1:3000: open it there.',
    },
  })
})

test('as long as the server does not know its address, a passkey belongs to the one that the desk is open at', async () => {
  const { app, desk } = await takenDesk()
  expect(await optionsAt(app, 'https://turnbot.example')).toMatchObject({
    result: { data: { rpId: 'turnbot.example' } },
  })
  expect((await desk.you.show.query()).passkeyObstacle).toContain('127.0.0.1')
})

/** What a browser is asked to sign in with where the desk is open. */
async function optionsAt(app: TestApp, origin: string): Promise<unknown> {
  const answer = await app.inject({
    method: 'POST',
    url: '/desk/api/signIn.passkeyOptions',
    headers: { origin, host: new URL(origin).host, 'content-type': 'application/json' },
    body: '{}',
  })
  return answer.json()
}

test('the answer to another challenge makes no passkey', async () => {
  const { browser, key } = await deskWithPasskey()
  await browser.desk.you.passkeyOptions.mutate()
  const making = browser.desk.you.addPasskey.mutate(key.attest('AAAA'))
  const message = 'This passkey was not accepted. Try again, or sign in with a code.'
  expect(await refusalOf(making)).toEqual({ status: 409, message })
})

test('the answer that made a passkey makes no second one', async () => {
  const browser = await signedIn(await deskApp())
  const key = authenticator()
  const { challenge } = await browser.desk.you.passkeyOptions.mutate()
  const answer = key.attest(challenge)
  await browser.desk.you.addPasskey.mutate(answer)
  expect(await refusalOf(browser.desk.you.addPasskey.mutate(answer))).toMatchObject(refused)
})

test('a passkey with a NUL in its id is refused before the database is asked', async () => {
  const { app, key } = await deskWithPasskey()
  const { desk } = deskBrowser(app)
  const answer = { ...key.assert(await challengeFor(desk)), id: 'a\0b' }
  expect(await refusalOf(desk.signIn.byPasskey.mutate(answer))).toMatchObject({ status: 400 })
  expect(app.log()).not.toContain('request to the desk failed')
})

test('asking for a challenge stores nothing, however often strangers ask', async () => {
  const { app } = await deskWithPasskey()
  const before = await app.database.rows(sql`select * from desk_secrets`)
  for (let asked = 0; asked < 70; asked += 1) await challengeFor(deskBrowser(app).desk)
  expect(await app.database.rows(sql`select * from desk_secrets`)).toEqual(before)
})

test('a challenge whose end was moved in the cookie does not sign in', async () => {
  const { app, key } = await deskWithPasskey()
  const { desk, cookies } = deskBrowser(app)
  const answer = key.assert(await challengeFor(desk))
  const [endsAt, secret] = cookies.get('__Host-desk-passkey')!.split('.')
  cookies.set('__Host-desk-passkey', `${Number(endsAt) + 60_000}.${secret}`)
  expect(await refusalOf(desk.signIn.byPasskey.mutate(answer))).toMatchObject(refused)
})

test('a challenge that was used stays used after signing out everywhere', async () => {
  const { app, browser, key } = await deskWithPasskey()
  const { desk } = deskBrowser(app)
  const answer = key.assert(await challengeFor(desk))
  await desk.signIn.byPasskey.mutate(answer)
  await browser.desk.you.signOutEverywhere.mutate()
  expect(await refusalOf(desk.signIn.byPasskey.mutate(answer))).toMatchObject(refused)
})

test('making and removing a passkey need a fresh proof', async () => {
  const { app, browser, key } = await deskWithPasskey()
  const { desk } = browser
  app.clock.advance(15 * 60_000)
  expect(await refusalOf(desk.you.passkeyOptions.mutate())).toMatchObject(proofNeeded)
  expect(await refusalOf(desk.you.removePasskey.mutate(key.id))).toMatchObject(proofNeeded)
  await browser.signIn()
  await desk.you.removePasskey.mutate(key.id)
  const { passkeys, audit } = await desk.you.show.query()
  expect(passkeys).toEqual([])
  expect(audit[0]).toMatchObject({ action: 'Removed a passkey' })
  const { desk: other } = deskBrowser(app)
  const answer = key.assert(await challengeFor(other))
  expect(await refusalOf(other.signIn.byPasskey.mutate(answer))).toMatchObject(refused)
})

async function deskWithPasskey() {
  const app = await deskApp()
  const browser = await signedIn(app)
  const key = authenticator()
  const { challenge } = await browser.desk.you.passkeyOptions.mutate()
  await browser.desk.you.addPasskey.mutate(key.attest(challenge))
  expect((await browser.desk.you.show.query()).passkeys).toMatchObject([
    { id: key.id, usedAt: null },
  ])
  return { app, browser, key }
}

async function challengeFor(desk: ReturnType<typeof deskBrowser>['desk']): Promise<string> {
  return (await desk.signIn.passkeyOptions.mutate()).challenge
}

function newKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/**
 * Does what a phone or a laptop does (WebAuthn Level 3, 6 and 7). Flags: user present 1, verified
 * 4, key attached 64.
 */
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
      const attached = Buffer.concat([
        authData(0x45),
        Buffer.alloc(16),
        length,
        id,
        isoCBOR.encode(cose),
      ])
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
      made: {
        origin?: string
        rpId?: string
        flags?: number
        key?: ReturnType<typeof newKey>
      } = {},
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
