import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askDoctor, type Zone } from '#rigs/owner/doctor-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

async function dmarcOf(zone: Zone, environment: Record<string, string> = {}) {
  const { of, said } = await askDoctor({
    environment: { MAIL_FROM: 'bot@mail.bot.example', ...environment },
    zone,
  })
  return { said: said('dns.dmarc'), record: of('dns.dmarc')[0]?.record }
}

test.each([
  ['v=DMARC1; p=none; rua=mailto:a@b.co', 'ok .* says none: receivers only report'],
  ['v=DMARC1;p=quarantine', 'ok .* says quarantine: forged mail lands in spam'],
  ['v=DMARC1; p=REJECT', 'ok .* says reject: forged mail is refused'],
  ['v=DMARC1; p=strict', 'wrong .* has no policy that receivers know'],
  ['v=DMARC1', 'wrong .* has no policy that receivers know'],
  ['v=DMARC10; p=none', 'look .* has no DMARC record'],
])('%s: %s', async (record, said) => {
  expect((await dmarcOf({ '_dmarc.mail.bot.example': [record] })).said).toMatch(new RegExp(`^${said}`))
})

test('a subdomain uses the record of the registered domain, with its sp policy', async () => {
  const record = 'v=DMARC1; p=none; sp=reject'
  expect((await dmarcOf({ '_dmarc.bot.example': [record] })).said).toBe(
    'ok The DMARC record at _dmarc.bot.example says reject: forged mail is refused.',
  )
})

test('without a record the finding has one to paste', async () => {
  const { said, record } = await dmarcOf({})
  expect(said).toBe('look mail.bot.example has no DMARC record.')
  expect(record).toEqual({ name: '_dmarc.mail.bot.example', type: 'TXT', value: 'v=DMARC1; p=none' })
})

test('two records are wrong', async () => {
  const records = ['v=DMARC1; p=none', 'v=DMARC1; p=reject']
  expect((await dmarcOf({ '_dmarc.mail.bot.example': records })).said).toMatch(/^wrong .*2 DMARC records/)
})

test('a DNS that does not answer is unknown', async () => {
  expect((await dmarcOf({ '_dmarc.mail.bot.example': 'ESERVFAIL' })).said).toMatch(/^unknown .*ESERVFAIL/)
})

test('with adkim=s DKIM_DOMAIN must be the domain of the sender', async () => {
  const file = join(temporaryFolder(), 'key.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const dkim = { DKIM_SELECTOR: 'one', DKIM_PRIVATE_KEY_FILE: file }
  const zone = { '_dmarc.mail.bot.example': ['v=DMARC1; p=none; adkim=s'] }
  expect((await dmarcOf(zone, { ...dkim, DKIM_DOMAIN: 'bot.example' })).said).toMatch(
    /^wrong .* says adkim=s/,
  )
  expect((await dmarcOf(zone, { ...dkim, DKIM_DOMAIN: 'mail.bot.example' })).said).toMatch(/^ok /)
})
