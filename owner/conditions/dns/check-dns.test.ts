import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { askDoctor, resolverOf, type Zone } from '#rigs/owner/doctor-terminal.ts'
import { configOf } from '#owner/acts/owned-database.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { subject } from '../finding.ts'
import { checkSpf } from './check-spf.ts'

const name = 'one._domainkey.bot.example'
const ours = generateKeyPairSync('rsa', { modulusLength: 2048 })
const another = generateKeyPairSync('rsa', { modulusLength: 2048 })

function keyFile(key = ours): string {
  const file = join(temporaryFolder(), 'key.pem')
  writeFileSync(file, key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return file
}

function recordOf(publicKey: KeyObject): string {
  return `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
}

function dnsOf(zone: Zone, more: Record<string, string> = {}) {
  return askDoctor({ environment: { MAIL_FROM: 'bot@bot.example', ...more }, zone })
}

describe('DKIM', () => {
  const settings = (key = ours) => ({
    DKIM_DOMAIN: 'bot.example',
    DKIM_SELECTOR: 'one',
    DKIM_PRIVATE_KEY_FILE: keyFile(key),
  })
  const dkimOf = (published: string[] | 'ETIMEOUT' | undefined, more = {}) =>
    dnsOf(published ? { [name]: published } : {}, { ...settings(), ...more })

  test('our published public key is ok, in either form', async () => {
    expect((await dkimOf([recordOf(ours.publicKey)])).said('dns.dkim')).toBe(
      `ok Our DKIM key is published at ${name}.`,
    )
    const older = ours.publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')
    expect((await dkimOf([`k=rsa; p=${older}`])).said('dns.dkim')).toMatch(/^ok /)
  })

  test('a key that is not published is wrong, with the record to paste', async () => {
    const { said, of } = await dkimOf(undefined)
    expect(said('dns.dkim')).toBe(`wrong The DKIM key is not published: ${name} has no record.`)
    expect(of('dns.dkim')[0]?.record).toEqual({
      name,
      type: 'TXT',
      value: recordOf(ours.publicKey),
    })
  })

  test.each([
    ['of another private key', [recordOf(another.publicKey)], /^wrong .*different key from ours/],
    ['that is revoked', ['v=DKIM1; p='], /^wrong .*revoked/],
    ['for trial', [`${recordOf(ours.publicKey)}; t=y`], /^look .*t=y/],
    ['for SHA-1 alone', [`${recordOf(ours.publicKey)}; h=sha1`], /^wrong .*h=sha1: receivers ig/],
    ['for no mail', [`${recordOf(ours.publicKey)}; s=tlsrpt`], /^wrong .*s=tlsrpt/],
    ['for another algorithm', [recordOf(ours.publicKey).replace('rsa', 'ed25519')], /^wrong .*k=/],
    [
      'that is there twice',
      [recordOf(ours.publicKey), recordOf(another.publicKey)],
      /^wrong .*different key from ours/,
    ],
  ])('a published key %s is found', async (_name, published, said) => {
    expect((await dkimOf(published)).said('dns.dkim')).toMatch(said)
  })

  test('a published key may name further uses beside our own', async () => {
    const record = `${recordOf(ours.publicKey)}; h=sha1:sha256; s=tlsrpt : email; t=s`
    expect((await dkimOf([record])).said('dns.dkim')).toMatch(/^ok /)
  })

  test.each([
    [512, /^wrong The DKIM key has 512 bits; receivers ignore a signature below 1024\./],
    [1024, /^look .* and has 1024 bits\./],
  ])('a key of %i bits is found, though it is published', async (modulusLength, said) => {
    const short = generateKeyPairSync('rsa', { modulusLength })
    const zone = { [name]: [recordOf(short.publicKey)] }
    expect((await dnsOf(zone, settings(short))).said('dns.dkim')).toMatch(said)
  })

  test.each([
    ['mail.bot.example', 'bot.example', 'wrong'],
    ['mail.bot.example', 'mail.bot.example', 'wrong'],
    ['bot.example', 'bot.example', 'ok'],
  ])(
    'with adkim=s, mail from %s under a policy of %s and a signature of bot.example is %s',
    async (sender, policy, state) => {
      const zone = {
        [name]: [recordOf(ours.publicKey)],
        [`_dmarc.${policy}`]: ['v=DMARC1; p=none; adkim=S'],
      }
      const { said } = await dnsOf(zone, { ...settings(), MAIL_FROM: `bot@${sender}` })
      expect(said('dns.dkim')).toMatch(new RegExp(`^${state} `))
    },
  )

  test.each([
    ['bot@mail.bot.example', 'ok'],
    ['bot@other.example', 'wrong'],
  ])('a signature of bot.example on mail from %s is %s', async (MAIL_FROM, state) => {
    const { said } = await dkimOf([recordOf(ours.publicKey)], { MAIL_FROM })
    expect(said('dns.dkim')).toMatch(new RegExp(`^${state} `))
  })

  test('a DNS that does not answer, or a relay that signs, is unknown', async () => {
    expect((await dkimOf('ETIMEOUT')).said('dns.dkim')).toMatch(
      /^unknown .*cannot be looked up: ETIMEOUT/,
    )
    expect((await dnsOf({})).said('dns.dkim')).toMatch(/^unknown The relay has to sign mail/)
  })
})

describe('DMARC', () => {
  const MAIL_FROM = 'bot@mail.bot.example'
  const dmarcOf = async (zone: Zone, more = {}) =>
    (await dnsOf(zone, { MAIL_FROM, ...more })).of('dns.dmarc')[0]!

  test.each([
    [['v=DMARC1; p=none; rua=mailto:a@b.co'], 'ok', /says none: receivers only report/],
    [['v=DMARC1;p=quarantine'], 'ok', /says quarantine: forged mail lands in spam/],
    [['v=DMARC1; p=REJECT'], 'ok', /says reject: forged mail is refused/],
    [['v=DMARC1; p=strict'], 'wrong', /must have one DMARC record with a policy/],
    [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'wrong', /must have one DMARC record/],
    [['v=DMARC10; p=none'], 'look', /has no DMARC record/],
  ])('%j is %s', async (records, state, what) => {
    const found = await dmarcOf({ '_dmarc.mail.bot.example': records })
    expect(found).toMatchObject({ state, what: expect.stringMatching(what) })
  })

  test('a subdomain uses the record of the registered domain, with its sp policy', async () => {
    const { what } = await dmarcOf({ '_dmarc.bot.example': ['v=DMARC1; p=none; sp=reject'] })
    expect(what).toBe('The DMARC record at _dmarc.bot.example says reject: forged mail is refused.')
  })

  test('without a record the finding has one to paste', async () => {
    const { record } = await dmarcOf({})
    expect(record).toEqual({
      name: '_dmarc.mail.bot.example',
      type: 'TXT',
      value: 'v=DMARC1; p=none',
    })
  })
})

describe('SPF', () => {
  const domain = 'bot.example'
  const manyIncludes = Array.from({ length: 11 }, (_, index) => `include:${index}.example`).join(
    ' ',
  )

  test.each([
    ['v=spf1 ip4:192.0.2.0/24 -all', /^ok .* ends in -all and costs 0 of 10 queries/],
    [
      'v=spf1 a mx:mail.example/24 include:x.example ip6:2001:db8::1 ~all',
      /^ok .* ends in ~all and costs 3 of 10/,
    ],
    ['v=spf1 redirect=x.example', /^ok .* ends in a redirect and costs 1 of 10/],
    ['v=spf1 ip4:192.0.2.1 ?all', /^look .* says nothing about servers it does not name/],
    ['v=spf1 ip4:192.0.2.1', /^look .* says nothing about servers it does not name/],
    ['v=spf1 a +all', /^wrong .* ends in \+all: everybody may send as you/],
    ['v=spf1 a all', /^wrong .* ends in \+all/],
    [`v=spf1 ${manyIncludes} -all`, /^wrong .* costs 11 or more DNS queries/],
    ['v=spf1 -all', /^wrong .* names no server that may send/],
    ['v=spf1 -ip4:192.0.2.1 ~all redirect=x.example', /^wrong .* names no server that may send/],
    ['v=spf1 ip4:0.0.0.0/0 -all', /^wrong .* has ip4:0\.0\.0\.0\/0: a large part of the internet/],
    ['v=spf1 ip6:::/0 -all', /^wrong .* has ip6:::\/0: a large part/],
    ['v=spf1 a/24//0 -all', /^wrong .* has a\/24\/\/0: a large part/],
    ['v=spf1 a -ip4:0.0.0.0/0 exp=e.example -all', /^ok /],
    ['v=spf1 ip4:10.0.0.0/8 -all', /^ok /],
    ['v=spf1 a -all ip4:0.0.0.0/0', /^ok /],
    ['v=spf1 ipv4:192.0.2.1 -all', /^wrong .* has "ipv4:192\.0\.2\.1", which receivers cannot/],
    ['v=spf1 ip4:192.0.2 -all', /^wrong .* cannot read/],
    ['v=spf1 ip4:192.0.2.0/33 -all', /^wrong .* cannot read/],
    ['v=spf1 include: -all', /^wrong .* cannot read/],
  ])('%s', async (record, said) => {
    expect((await dnsOf({ [domain]: ['another=record', record] })).said('dns.spf')).toMatch(said)
  })

  test('two records are wrong', async () => {
    const { said } = await dnsOf({ [domain]: ['v=spf1 -all', 'v=spf1 a -all'] })
    expect(said('dns.spf')).toMatch(/^wrong bot\.example has 2 SPF records/)
  })

  test.each([
    ['smtps://u:p@email-smtp.eu-west-1.amazonaws.com', 'include:amazonses.com'],
    ['smtps://u:p@smtp.relay.example', 'a:smtp.relay.example'],
    ['smtps://u:p@192.0.2.7', 'ip4:192.0.2.7'],
    ['smtp://127.0.0.1:1', 'a:site.example'],
  ])('without a record the finding has one for %s', async (SMTP_URL, term) => {
    const environment = {
      MAIL_FROM: `bot@${domain}`,
      SMTP_URL,
      PUBLIC_URL: 'https://site.example',
    }
    // Alone: the whole check-up would also connect to the relay.
    const context = { config: configOf({ environment }), resolveTxt: resolverOf({}) }
    expect(await checkSpf(context, subject('dns.spf'))).toMatchObject({
      record: {
        name: domain,
        type: 'TXT',
        value: `v=spf1 ${term} ~all`,
      },
    })
  })
})
