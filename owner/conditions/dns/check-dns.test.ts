import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { settingsWithoutDatabase } from '#server/settings/site-settings.ts'
import { askDoctor, dnsOf, type Zone } from '#rigs/owner/doctor-terminal.ts'
import { configOf } from '#owner/acts/owned-database.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { checkDmarc, readDmarc } from './check-dmarc.ts'
import type { Check } from '../check-context.ts'
import type { Condition } from '../condition.ts'
import { checkDkim } from './check-dkim.ts'
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

/** The findings where only these records are published. */
function foundIn(zone: Zone, more: Record<string, string> = {}, dns = dnsOf(zone)) {
  const environment = {
    MAIL_FROM: 'bot@bot.example',
    DATABASE_URL: 'file:/nowhere/none.db',
    ...more,
  }
  const settings = settingsWithoutDatabase(configOf({ environment }))
  const site = { settings, config: settings.config, content: defaultContent, published: undefined }
  const context = { ...site, environment, folder: '', now: Date.now, dns }
  return async (check: Check) => [await check(context)].flat()[0]!
}

function said({ severity, what }: Condition): string {
  return `${severity} ${what}`
}

describe('DKIM', () => {
  const settings = (key = ours) => ({
    DKIM_DOMAIN: 'bot.example',
    DKIM_SELECTOR: 'one',
    DKIM_PRIVATE_KEY_FILE: keyFile(key),
  })
  const dkimOf = (published: string[] | undefined, more = {}) =>
    foundIn(published ? { [name]: published } : {}, { ...settings(), ...more })(checkDkim)

  test('our published public key is ok, in either form', async () => {
    expect(said(await dkimOf([recordOf(ours.publicKey)]))).toBe(
      `fine Our DKIM key is published at ${name}.`,
    )
    const older = ours.publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')
    expect(said(await dkimOf([`k=rsa; p=${older}`]))).toMatch(/^fine /)
  })

  test('a key that is not published is wrong, with the record to paste', async () => {
    const found = await dkimOf(undefined)
    expect(said(found)).toBe(`error The DKIM key is not published: ${name} has no record.`)
    expect(found.record).toEqual({
      name,
      type: 'TXT',
      value: recordOf(ours.publicKey),
    })
  })

  test.each([
    ['of another private key', [recordOf(another.publicKey)], /^error .*different key from ours/],
    ['that is revoked', ['v=DKIM1; p='], /^error .*revoked/],
    ['for trial', [`${recordOf(ours.publicKey)}; t=y`], /^warning .*t=y/],
    ['for SHA-1 alone', [`${recordOf(ours.publicKey)}; h=sha1`], /^error .*h=sha1: receivers ig/],
    ['for no mail', [`${recordOf(ours.publicKey)}; s=tlsrpt`], /^error .*s=tlsrpt/],
    ['for another algorithm', [recordOf(ours.publicKey).replace('rsa', 'ed25519')], /^error .*k=/],
    [
      'that is there twice',
      [recordOf(ours.publicKey), recordOf(another.publicKey)],
      /^error .*different key from ours/,
    ],
  ])('a published key %s is found', async (_name, published, words) => {
    expect(said(await dkimOf(published))).toMatch(words)
  })

  test('a published key may name further uses beside our own', async () => {
    const record = `${recordOf(ours.publicKey)}; h=sha1:sha256; s=tlsrpt : email; t=s`
    expect(said(await dkimOf([record]))).toMatch(/^fine /)
  })

  test.each([
    [512, /^error The DKIM key has 512 bits; receivers ignore a signature below 1024\./],
    [1024, /^warning .* and has 1024 bits\./],
  ])('a key of %i bits is found, though it is published', async (modulusLength, words) => {
    const short = generateKeyPairSync('rsa', { modulusLength })
    const zone = { [name]: [recordOf(short.publicKey)] }
    expect(said(await foundIn(zone, settings(short))(checkDkim))).toMatch(words)
  })

  test.each([
    ['mail.bot.example', 'bot.example', 'error'],
    ['mail.bot.example', 'mail.bot.example', 'error'],
    ['bot.example', 'bot.example', 'fine'],
  ])(
    'with adkim=s, mail from %s under a policy of %s and a signature of bot.example is %s',
    async (sender, policy, state) => {
      const zone = {
        [name]: [recordOf(ours.publicKey)],
        [`_dmarc.${policy}`]: ['v=DMARC1; p=none; adkim=S'],
      }
      const found = await foundIn(zone, { ...settings(), MAIL_FROM: `bot@${sender}` })(checkDkim)
      expect(said(found)).toMatch(new RegExp(`^${state} `))
    },
  )

  test.each([
    ['bot@mail.bot.example', 'fine'],
    ['bot@other.example', 'error'],
  ])('a signature of bot.example on mail from %s is %s', async (MAIL_FROM, state) => {
    const found = await dkimOf([recordOf(ours.publicKey)], { MAIL_FROM })
    expect(said(found)).toMatch(new RegExp(`^${state} `))
  })

  test('the signature of a mail service cannot be judged from here', async () => {
    expect(said(await foundIn({})(checkDkim))).toMatch(
      /^not-checked Your mail service signs your mail/,
    )
  })

  test('a DNS that does not answer, or knows no name of the internet, is not checked', async () => {
    const environment = { MAIL_FROM: 'bot@bot.example', ...settings() }
    const silent = await askDoctor({ environment, zone: { [name]: 'ETIMEOUT' } })
    expect(silent.said('dns.dkim')).toMatch(
      /^not-checked .*cannot be looked up: no DNS server gave an answer \(ETIMEOUT\)\./,
    )
    const closed = await askDoctor({ environment, addresses: { isClosed: true } })
    for (const id of ['dns.dkim', 'dns.spf', 'dns.dmarc']) {
      expect(closed.said(id)).toMatch(
        /^not-checked .*this machine reaches no DNS server of the internet\.$/,
      )
    }
  })
})

describe('DMARC', () => {
  const MAIL_FROM = 'bot@mail.bot.example'
  const dmarcOf = (zone: Zone) => foundIn(zone, { MAIL_FROM })(checkDmarc)

  test.each([
    [['v=DMARC1; p=none; rua=mailto:a@b.co'], 'fine', /says none: receivers only report/],
    [['v=DMARC1;p=quarantine'], 'fine', /says quarantine: forged mail lands in spam/],
    [['v=DMARC1; p=REJECT'], 'fine', /says reject: forged mail is refused/],
    [['v=DMARC1; rua=mailto:a@b.co'], 'fine', /says none: receivers only report/],
    [
      ['v=DMARC1; p=reject; t=y'],
      'warning',
      /says reject in test mode .* as if it said quarantine/,
    ],
    [['v=DMARC1; p=none; t=y'], 'fine', /says none/],
    [['v = DMARC1 ; p = quarantine ;'], 'fine', /says quarantine/],
    [['v=DMARC1; p=quarantine; T=Y'], 'warning', /as if it said none/],
    [['v=DMARC1; p=strict'], 'error', /must have one DMARC record, with a policy/],
    [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'error', /must have one DMARC record/],
    [['v=DMARC10; p=none'], 'warning', /has no DMARC record/],
  ])('%j is %s', async (records, severity, what) => {
    const found = await dmarcOf({ '_dmarc.mail.bot.example': records })
    expect(found).toMatchObject({ severity, what: expect.stringMatching(what) })
  })

  test('a subdomain uses the record of the registered domain, with its sp policy', async () => {
    const { what } = await dmarcOf({ '_dmarc.bot.example': ['v=DMARC1; p=none; sp=reject'] })
    expect(what).toBe('The DMARC record at _dmarc.bot.example says reject: forged mail is refused.')
  })

  const tree = (records: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(records).map(([at, tags]) => [`_dmarc.${at}`, [`v=DMARC1; ${tags}`]]),
    )

  test.each([
    ['the highest above it', { 'bot.example': 'p=none', example: 'p=reject' }, '_dmarc.example'],
    [
      'one that is no registry (psd=n)',
      { 'bot.example': 'p=none; psd=n', example: 'p=reject' },
      '_dmarc.bot.example',
    ],
    [
      'the one below a registry (psd=y)',
      { 'bot.example': 'p=none', example: 'p=reject; psd=y' },
      '_dmarc.bot.example',
    ],
    ["a registry's, if no other is there", { example: 'p=reject; psd=y' }, '_dmarc.example'],
    [
      'its own',
      { 'mail.bot.example': 'p=none', 'bot.example': 'p=reject' },
      '_dmarc.mail.bot.example',
    ],
  ])('of several records on the way up the tree, %s counts', async (_which, records, where) => {
    expect((await dmarcOf(tree(records))).what).toContain(`The DMARC record at ${where} says`)
  })

  test('of a long name at most eight are asked', async () => {
    const sender = `${'a.'.repeat(20)}bot.example`
    const asked: string[] = []
    const dns = dnsOf({})
    const resolveTxt = async (at: string) => {
      asked.push(at)
      return dns.resolveTxt(at)
    }
    expect(await readDmarc({ dns: { ...dns, resolveTxt } }, sender)).toBeUndefined()
    expect(asked).toHaveLength(8)
    expect(asked.slice(0, 2)).toEqual([`_dmarc.${sender}`, '_dmarc.a.a.a.a.a.bot.example'])
    expect(asked.at(-1)).toBe('_dmarc.example')
  })

  test('without a record there is one to paste', async () => {
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
    ['v=spf1 ip4:192.0.2.0/24 -all', /^fine .* ends in -all and costs 0 of 10 queries/],
    [
      'v=spf1 a mx:mail.example/24 include:x.example ip6:2001:db8::1 ~all',
      /^fine .* ends in ~all and costs 3 of 10/,
    ],
    ['v=spf1 redirect=x.example', /^fine .* ends in a redirect and costs 1 of 10/],
    ['v=spf1 ip4:192.0.2.1 ?all', /^warning .* says nothing about servers it does not name/],
    ['v=spf1 ip4:192.0.2.1', /^warning .* says nothing about servers it does not name/],
    ['v=spf1 a +all', /^error .* ends in \+all: everybody may send as you/],
    ['v=spf1 a all', /^error .* ends in \+all/],
    [`v=spf1 ${manyIncludes} -all`, /^error .* costs 11 or more DNS queries/],
    ['v=spf1 -all', /^error .* names no server that may send/],
    ['v=spf1 -ip4:192.0.2.1 ~all redirect=x.example', /^error .* names no server that may send/],
    ['v=spf1 ip4:0.0.0.0/0 -all', /^error .* has ip4:0\.0\.0\.0\/0: a large part of the internet/],
    ['v=spf1 ip6:::/0 -all', /^error .* has ip6:::\/0: a large part/],
    ['v=spf1 a/24//0 -all', /^error .* has a\/24\/\/0: a large part/],
    ['v=spf1 a -ip4:0.0.0.0/0 exp=e.example -all', /^fine /],
    ['v=spf1 ip4:10.0.0.0/8 -all', /^fine /],
    ['v=spf1 a -all ip4:0.0.0.0/0', /^fine /],
    ['v=spf1 ipv4:192.0.2.1 -all', /^error .* has "ipv4:192\.0\.2\.1", which receivers cannot/],
    ['v=spf1 ip4:192.0.2 -all', /^error .* cannot read/],
    ['v=spf1 ip4:192.0.2.0/33 -all', /^error .* cannot read/],
    ['v=spf1 include: -all', /^error .* cannot read/],
  ])('%s', async (record, words) => {
    expect(said(await foundIn({ [domain]: ['another=record', record] })(checkSpf))).toMatch(words)
  })

  test('two records are wrong', async () => {
    const found = await foundIn({ [domain]: ['v=spf1 -all', 'v=spf1 a -all'] })(checkSpf)
    expect(said(found)).toMatch(/^error bot\.example has 2 SPF records/)
  })

  function spfOf(zone: Zone, SMTP_URL: string, ipv4: Record<string, string[]> = {}) {
    const environment = { SMTP_URL, PUBLIC_URL: 'https://site.example' }
    return foundIn(zone, environment, dnsOf(zone, { ipv4 }))(checkSpf)
  }

  test.each([
    ['smtps://u:p@email-smtp.eu-west-1.amazonaws.com', 'include:amazonses.com'],
    ['smtps://u:p@smtp.relay.example', 'a:smtp.relay.example'],
    ['smtps://u:p@192.0.2.7', 'ip4:192.0.2.7'],
    ['smtp://127.0.0.1:1', 'a:site.example'],
  ])('without a record there is one to paste for %s', async (SMTP_URL, term) => {
    expect((await spfOf({}, SMTP_URL)).record).toEqual({
      name: domain,
      type: 'TXT',
      value: `v=spf1 ${term} ~all`,
    })
  })

  const amazon = 'smtps://u:p@email-smtp.eu-west-1.amazonaws.com'
  test.each([
    ['the term of the service', 'include:amazonses.com', amazon],
    ['an include that includes it', 'include:all.example', amazon],
    ['its host', 'a:smtp.relay.example', 'smtps://u:p@smtp.relay.example'],
    ['another name of its domain', 'include:spf.relay.example', 'smtps://u:p@smtp.relay.example'],
    ['its network', 'ip4:192.0.2.0/24', 'smtps://u:p@smtp.relay.example'],
    ['its address', 'ip4:192.0.2.7', 'smtps://u:p@192.0.2.7'],
    ['the mail server of the domain itself', 'mx', `smtps://u:p@mail.${domain}`],
  ])('a record that names %s is fine', async (_what, term, SMTP_URL) => {
    const zone = {
      [domain]: [`v=spf1 ${term} -all`],
      'all.example': ['v=spf1 redirect=_spf.all.example'],
      '_spf.all.example': ['v=spf1 include:amazonses.com ~all'],
    }
    const found = await spfOf(zone, SMTP_URL, { 'smtp.relay.example': ['192.0.2.9'] })
    expect(found.severity).toBe('fine')
  })

  test('a record without the relay in use is a warning, with the record as it should be', async () => {
    const found = await spfOf(
      { [domain]: ['v=spf1 include:_spf.google.com ip4:192.0.2.9 -all'] },
      amazon,
    )
    expect(found).toMatchObject({
      severity: 'warning',
      what: `The SPF record of ${domain} does not name email-smtp.eu-west-1.amazonaws.com, through which your mail goes.`,
      record: { value: 'v=spf1 include:amazonses.com include:_spf.google.com ip4:192.0.2.9 -all' },
    })
  })
})
