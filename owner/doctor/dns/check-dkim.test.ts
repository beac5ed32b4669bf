import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const name = 'one._domainkey.bot.example'
const good = generateKeyPairSync('rsa', { modulusLength: 2048 })
const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
const tooShort = generateKeyPairSync('rsa', { modulusLength: 768 })

function recordOf(publicKey: KeyObject): string {
  return `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
}

async function dkimOf(
  published: string[] | 'ETIMEOUT' | undefined,
  { privateKey = good.privateKey, ...more } = {},
) {
  const file = join(temporaryFolder(), 'key.pem')
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return askDoctor({
    environment: {
      MAIL_FROM: 'bot@bot.example',
      DKIM_DOMAIN: 'bot.example',
      DKIM_SELECTOR: 'one',
      DKIM_PRIVATE_KEY_FILE: file,
      ...more,
    },
    zone: published ? { [name]: published } : {},
  })
}

test('our published public key is ok, also split into pieces', async () => {
  const { said } = await dkimOf([recordOf(good.publicKey)])
  expect(said('dns.dkim')).toBe(`ok Our DKIM key is published at ${name}.`)
  expect(said('dns.alignment')).toBe('ok Sender and signature share the domain bot.example.')
})

test('the PKCS #1 form of the key is ok too', async () => {
  const older = good.publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')
  expect((await dkimOf([`k=rsa; p=${older}`])).said('dns.dkim')).toMatch(/^ok /)
})

test('a key that is not published is wrong, with the record to paste', async () => {
  const { said, of } = await dkimOf(undefined)
  expect(said('dns.dkim')).toBe(`wrong The DKIM key is not published: ${name} has no record.`)
  expect(of('dns.dkim')[0]?.record).toEqual({ name, type: 'TXT', value: recordOf(good.publicKey) })
})

test.each([
  ['of another private key', [recordOf(short.publicKey)], /^wrong .*belongs to another private key/],
  ['that is revoked', ['v=DKIM1; p='], /^wrong .*revoked/],
  ['for trial', [`${recordOf(good.publicKey)}; t=y`], /^look .*t=y/],
  ['that is there twice', [recordOf(good.publicKey), recordOf(short.publicKey)], /^wrong .*2 DKIM records/],
])('a published key %s is found', async (_name, published, said) => {
  expect((await dkimOf(published)).said('dns.dkim')).toMatch(said)
})

test('a DNS that does not answer is unknown', async () => {
  expect((await dkimOf('ETIMEOUT')).said('dns.dkim')).toMatch(/^unknown .*cannot be looked up: ETIMEOUT/)
})

test('a short key is a finding to look at, a shorter one is wrong', async () => {
  const { said } = await dkimOf([recordOf(short.publicKey)], { privateKey: short.privateKey })
  expect(said('dns.dkim')).toMatch(/look The DKIM key has 1024 bits; 2048 are usual/)
  const shorter = await dkimOf([recordOf(tooShort.publicKey)], { privateKey: tooShort.privateKey })
  expect(shorter.said('dns.dkim')).toMatch(/wrong The DKIM key has 768 bits: receivers ignore/)
})

test.each([
  ['bot@mail.bot.example', 'ok'],
  ['bot@other.example', 'wrong'],
])('a signature of bot.example on mail from %s is %s', async (MAIL_FROM, state) => {
  const { said } = await dkimOf([recordOf(good.publicKey)], { MAIL_FROM } as object)
  expect(said('dns.alignment')).toMatch(new RegExp(`^${state} `))
})

test('without DKIM settings the signature is unknown', async () => {
  const { said } = await askDoctor({ environment: { MAIL_FROM: 'bot@bot.example' } })
  expect(said('dns.dkim')).toMatch(/^unknown The relay has to sign mail/)
})
