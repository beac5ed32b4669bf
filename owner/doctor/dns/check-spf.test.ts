import { expect, test } from 'vitest'
import { readConfig } from '#server/configuration/config.ts'
import { askDoctor, resolverOf, type Zone } from '#rigs/owner/doctor-terminal.ts'
import { subject } from '../finding.ts'
import { checkSpf } from './check-spf.ts'

const domain = 'bot.example'

async function spfOf(zone: Zone, environment: Record<string, string> = {}) {
  return (await askDoctor({ environment: { MAIL_FROM: `bot@${domain}`, ...environment }, zone })).said(
    'dns.spf',
  )
}

function judged(record: string, more: Zone = {}): Promise<string> {
  return spfOf({ [domain]: ['another=record', record], ...more })
}

test.each([
  [
    'v=spf1 ip4:192.0.2.0/24 -all',
    'ok bot.example has an SPF record; it ends in -all and costs 0 of 10 queries.',
  ],
  ['v=spf1 a mx:mail.example/24 ip6:2001:db8::1 ~all', 'ok .* ends in ~all and costs 2 of 10'],
  ['v=spf1 ip4:192.0.2.1 ?all', 'look .* says nothing about servers it does not name'],
  ['v=spf1 ip4:192.0.2.1', 'look .* says nothing about servers it does not name'],
  ['v=spf1 a +all', 'wrong .* ends in \\+all: everybody may send as you'],
  ['v=spf1 a all', 'wrong .* ends in \\+all'],
  ['v=spf1 a ptr -all', 'look .* uses ptr'],
  ['v=spf1 ipv4:192.0.2.1 -all', 'wrong .* is broken: ipv4:192.0.2.1'],
  ['v=spf1 ip4:192.0.2.999 -all', 'wrong .* is broken: ip4:192.0.2.999'],
  ['v=spf1 include: -all', 'wrong .* is broken: include:'],
  ['v=spf1 unknown-modifier=x exp=why.example -all', 'ok '],
])('%s: %s', async (record, said) => {
  expect(await judged(record)).toMatch(new RegExp(`^${said}`))
})

test('queries are counted through includes and redirects', async () => {
  const zone: Zone = {
    'one.example': ['v=spf1 a mx include:two.example -all'],
    'two.example': ['v=spf1 exists:%{i}.x.example a redirect=three.example'],
    'three.example': ['v=spf1 ip4:192.0.2.1 ~all'],
  }
  // include, its three, and the three of two.example
  expect(await judged('v=spf1 include:one.example -all', zone)).toMatch(
    /^ok .* ends in -all and costs 7 of 10/,
  )
  expect(await judged('v=spf1 redirect=two.example', zone)).toMatch(/^ok .* ends in ~all and costs 4 of 10/)
})

test('the all of an included record does not count, nor do terms after all', async () => {
  const zone: Zone = { 'one.example': ['v=spf1 a -all'] }
  expect(await judged('v=spf1 include:one.example', zone)).toMatch(/^look .* says nothing about servers/)
  expect(await judged('v=spf1 -all a redirect=gone.example')).toMatch(/^ok .* ends in -all and costs 0 of 10/)
})

test('more than ten queries and a loop of includes are wrong', async () => {
  const many = 'a:a.example a:b.example a:c.example a:d.example a:e.example a:f.example'
  expect(await judged(`v=spf1 ${many} mx:a.example mx:b.example a mx -all`)).toMatch(/^ok /)
  expect(await judged(`v=spf1 ${many} mx:a.example mx:b.example a mx a:g.example -all`)).toMatch(
    /^wrong .* costs 11 or more DNS queries/,
  )
  expect(await judged(`v=spf1 include:${domain} -all`)).toMatch(/^wrong .* or more DNS queries/)
})

test('an include without an SPF record is wrong', async () => {
  expect(await judged('v=spf1 include:gone.example -all')).toMatch(
    /^wrong .* include:gone.example \(there is no SPF/,
  )
})

test('an error in an included record is reported with its place', async () => {
  const zone: Zone = { 'one.example': ['v=spf1 ipv4:192.0.2.1 -all'] }
  expect(await judged('v=spf1 include:one.example -all', zone)).toMatch(
    /^wrong .* is broken: ipv4:192.0.2.1 \(in the record of one.example\)/,
  )
})

test('an include that cannot be looked up now is unknown', async () => {
  const zone: Zone = { 'slow.example': 'ETIMEOUT' }
  expect(await judged('v=spf1 include:slow.example -all', zone)).toBe(
    'unknown slow.example cannot be looked up: ETIMEOUT.',
  )
})

test('two records are wrong', async () => {
  expect(await spfOf({ [domain]: ['v=spf1 a -all', 'v=spf1 mx -all'] })).toMatch(/^wrong .*2 SPF records/)
})

test.each([
  ['smtp://relay.example:587', 'a:relay.example'],
  ['smtp://192.0.2.7', 'ip4:192.0.2.7'],
  ['smtp://[2001:db8::7]', 'ip6:2001:db8::7'],
  ['smtps://smtp.mailgun.org', 'include:mailgun.org'],
  ['smtp://email-smtp.eu-west-1.amazonaws.com', 'include:amazonses.com'],
  ['smtp://localhost', 'a:site.example'],
])('without a record the finding has one to paste, for %s with %s', async (smtpUrl, word) => {
  // Not by the whole doctor: it would ask that relay.
  const read = readConfig({
    SMTP_URL: smtpUrl,
    MAIL_FROM: `bot@${domain}`,
    PUBLIC_URL: 'https://site.example',
  })
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  const context = {
    ...read,
    environment: {},
    resolveTxt: resolverOf({}),
    folder: '',
    now: Date.now,
    testAddress: undefined,
  }
  const site = Promise.resolve({ kind: 'silent', why: '' } as const)
  expect(await checkSpf({ ...context, site }, subject('dns.spf'))).toMatchObject({
    state: 'look',
    what: 'bot.example has no SPF record.',
    record: { name: domain, type: 'TXT', value: `v=spf1 ${word} ~all` },
  })
})

test('a DNS that does not answer is unknown, not wrong', async () => {
  expect(await spfOf({ [domain]: 'ESERVFAIL' })).toMatch(/^unknown .* cannot be looked up: ESERVFAIL/)
})

test('localhost is not looked up', async () => {
  expect(await spfOf({}, { MAIL_FROM: 'bot@localhost' })).toBe('')
})
