import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { canSend, type Config, type Environment, readSettings } from './config.ts'

const SMTP_URL = 'smtp://mail.example'
const production = { NODE_ENV: 'production', SMTP_URL }
const whsec = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`

test('without any variable the site runs on this machine', () => {
  expect(configOf({})).toMatchObject({
    publicUrl: 'http://localhost:3000',
    functionsUrl: 'http://localhost:3000/functions/v1',
    databaseUrl: 'file:data/starter-bot.db',
    hasLocalInbox: true,
    allowedOrigins: [],
    trustedProxies: 0,
    siteMailsPerHour: 600,
    finalReplySeconds: 30,
  })
})

describe('a fault names the variable', () => {
  test.each<[string, string[]]>([
    ['NODE_ENV', ['prod', 'Production']],
    ['PORT', ['0', '65536', '80x', '-1', '3e3', ' 80']],
    [
      'PUBLIC_URL',
      ['example.com', 'https://a.b/c', 'ftp://example.com', 'https://a.b/?q', 'https://a.b/#'],
    ],
    [
      'FUNCTIONS_URL',
      ['ftp://a.example/f', 'https://a.example/f?q=1', 'https://me:pw@a.example/f'],
    ],
    [
      'DATABASE_URL',
      [
        'data/file.db',
        'file:',
        'mysql://host/db',
        'postgres://',
        'postgres://a:1,b:2/bot',
        'postgres://a:port/b',
      ],
    ],
    ['SMTP_URL', ['mail.example', 'http://mail.example', 'smtp://', 'smtp:///']],
    ['ANON_KEY', [' key', 'two words', 'schlüssel', 'a\r\nX-Other: b']],
    [
      'MAIL_API_BASE_URL',
      [
        'http://api.example',
        'https://me:pw@api.example',
        'https://a.example/?q',
        'ftp://127.0.0.1',
      ],
    ],
    ['MAIL_FROM', ['nobody', 'Name <nobody>', 'a@b.co, c@d.co', 'A\nB <a@b.co>']],
    ['OWNER_EMAIL', ['nobody', 'a@b', 'a@b.co, c@d.co']],
    ['ALLOWED_ORIGINS', ['https://a.example/path', 'https://a.example,nonsense', '*']],
    ['LIMIT_IP_PER_10_MIN', ['0', 'OFF', '-3', '1.5']],
    ['MAIL_RETRY_SECONDS', ['60,', '60;300', 'soon', '60, 300']],
    ['METRICS_TOKEN', ['short', '123456789012345678901']],
    ['WEBHOOK_URL', ['hook.example', 'ftp://hook.example', 'https://me:pw@hook.example']],
    [
      'WEBHOOK_SECRET',
      [
        'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        whsec(8),
        whsec(70),
        `${whsec(24)},x`,
        'whsec_not*base64*but*long*enough*for*it',
      ],
    ],
    ['DKIM_PRIVATE_KEY_FILE', ['/no/such/file', '/', import.meta.filename]],
  ])('%s', (name, values) => {
    for (const value of values) {
      expect(faultsOf({ [name]: value }), value).toContainEqual(expect.stringMatching(`^${name} `))
    }
  })

  test('and all faults are told at once', () => {
    const faults = faultsOf({ PORT: 'x', LOG_LEVEL: 'z', DKIM_DOMAIN: 'd', NODE_ENV: 'production' })
    const named = faults.map((fault) => fault.split(' ', 1).join())
    expect(named).toEqual(['PORT', 'LOG_LEVEL', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY_FILE'])
    expect(faultsOf({ ALLOWED_ORIGINS: 'foo, https://a.example, https://b.example/path' })).toEqual(
      [
        'ALLOWED_ORIGINS must be origins such as https://example.com, without a path, not "foo" and "https://b.example/path"',
      ],
    )
  })

  test('and never a password or a token', () => {
    const faults = faultsOf({
      SMTP_URL: 'stmp://me:hunter2@mail.example',
      DATABASE_URL: 'pg://me:hunter2@db',
      METRICS_TOKEN: 'hunter2',
      WEBHOOK_URL: 'https://me:hunter2@hook.example',
      WEBHOOK_SECRET: 'whsec_hunter2',
      MAIL_API_KEY: 'hunter2 hunter2',
      MAIL_API_BASE_URL: 'https://me:hunter2@api.example',
    })
    expect(faults.length).toBeGreaterThanOrEqual(7)
    expect(faults.join('\n')).not.toContain('hunter2')
  })

  test('that is meant, where one is set that is almost the same', () => {
    const misspelt = {
      SMPT_URL: 'x',
      PUBLIC_URI: 'x',
      HOME: '/',
      HOSTNAME: 'x',
      npm_config_cache: 'x',
    }
    const hints = [
      'SMPT_URL is unknown: did you mean SMTP_URL?',
      'PUBLIC_URI is unknown: did you mean PUBLIC_URL?',
    ]
    expect(readSettings(misspelt)).toMatchObject({ hints })
    expect(faultsOf({ ...misspelt, PORT: 'x' }).slice(1)).toEqual(hints)
  })
})

test.each<[Environment, RegExp[]]>([
  [{ WEBHOOK_URL: 'https://hook.example/' }, [/^WEBHOOK_URL or WEBHOOK_SECRET is missing/]],
  [{ WEBHOOK_SECRET: whsec(24) }, [/^WEBHOOK_URL or WEBHOOK_SECRET is missing/]],
  [
    { MAIL_API: 'resend', SMTP_URL },
    [/^MAIL_API_KEY is missing/, /^MAIL_API and SMTP_URL are both set/],
  ],
  [{ SMTP_URL, MAIL_API_KEY: 're_1' }, [/^MAIL_API_KEY is set without MAIL_API/]],
])('variables that need each other: %o', (environment, faults) => {
  expect(faultsOf(environment)).toEqual(faults.map((fault) => expect.stringMatching(fault)))
})

test.each([
  { SMTP_URL: 'smtp://AKIA:ab/cd+ef@email-smtp.eu-west-1.amazonaws.com:587' },
  { SMTP_URL: 'smtp://bot:12/cd@smtp.example.net:587' },
  { SMTP_URL: 'smtps://bot:12?cd@smtp.example.net' },
  { SMTP_URL: 'smtp://bot:2024#Secret@smtp.example.net:587' },
  { SMTP_URL: 'smtp://me@example.net:a/b@smtp.example.net' },
  { SMTP_URL: 'smtp://bot:100%@smtp.example.net' },
  { DATABASE_URL: 'postgres://me:12/cd@db.example/bot' },
  { DATABASE_URL: 'postgres://me:12#cd@db.example/bot?sslmode=disable' },
  { DATABASE_URL: 'postgres://me:ab?cd@db.example/bot' },
])('a password that a URL cannot hold as it is: %o', (environment) => {
  const [name] = Object.keys(environment)
  const hint = new RegExp(`^${name} must write / as %2F, .* # as %23`)
  expect(faultsOf(environment)).toEqual([expect.stringMatching(hint)])
})

test.each([
  { SMTP_URL: 'smtp://AKIA:ab%2Fcd+ef@email-smtp.eu-west-1.amazonaws.com:587' },
  { SMTP_URL: 'smtp://me@example.net:a%23b@smtp.example.net/?requireTLS=false' },
  { DATABASE_URL: 'postgres://me:12%2Fcd@db.example/bot?sslmode=disable' },
  { DATABASE_URL: 'postgres://localhost/bot?user=me@example.net' },
  { DATABASE_URL: 'file:data/a@b#c%.db' },
])('a URL that is right as it is: %o', (environment) => {
  expect(faultsOf(environment)).toEqual([])
})

test('a mail API is asked at its own address, or at another', () => {
  const access = { NODE_ENV: 'production', MAIL_API: 'postmark', MAIL_API_KEY: 'key' }
  const api = { provider: 'postmark', key: 'key', baseUrl: 'https://api.postmarkapp.com' }
  expect(configOf(access)).toMatchObject({ mailApi: api, smtpUrl: undefined, hasLocalInbox: false })
  const elsewhere = (MAIL_API_BASE_URL: string) =>
    configOf({ ...access, MAIL_API_BASE_URL }).mailApi?.baseUrl
  expect(elsewhere('https://mail.example/v1/')).toBe('https://mail.example/v1')
  expect(elsewhere('http://127.0.0.1:9999')).toBe('http://127.0.0.1:9999')
})

describe('the local inbox', () => {
  test.each([
    { PUBLIC_URL: 'https://bot.example' },
    { PUBLIC_URL: 'http://127.0.0.1.example.com' },
    { PUBLIC_URL: 'http://[::2]:3000' },
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { NODE_ENV: 'production' },
  ])('is not there where others could open it: mail waits for a service: %o', (environment) => {
    const config = configOf(environment)
    expect([config.hasLocalInbox, canSend(config)]).toEqual([false, false])
    expect(canSend(configOf({ ...environment, SMTP_URL }))).toBe(true)
  })

  test.each([
    { PUBLIC_URL: 'https://127.0.0.1', HOST: '127.0.0.2' },
    { PUBLIC_URL: 'http://[::1]:3000', HOST: '::1' },
    { PUBLIC_URL: 'http://bot.localhost', HOST: 'LOCALHOST' },
  ])('is there on loopback addresses: %o', (environment) => {
    expect(configOf(environment).hasLocalInbox).toBe(true)
  })
})

test.each([
  ['postgres://me:hunter2@db.example/bot', false],
  ['postgres://me:hunter2@db.example/bot?sslmode=require', false],
  ['postgres://db.example/bot?sslmode=verify-full', true],
  ['postgres://db.example/bot?sslmode=verify-ca&sslrootcert=/ca.pem', true],
  ['postgres://db.example/bot?sslmode=disable', true],
  ['postgres://127.0.0.1:5433/bot', true],
  ['postgres://%2Fvar%2Frun%2Fpostgresql/bot', true],
  ['postgres:///bot?host=/var/run/postgresql', true],
])('in production a PostgreSQL is reached safely, or not at all: %s', (DATABASE_URL, isAllowed) => {
  const refused = [
    expect.stringMatching(/^DATABASE_URL names a remote PostgreSQL without verified TLS/),
  ]
  expect(faultsOf({ ...production, DATABASE_URL })).toEqual(isAllowed ? [] : refused)
  expect(faultsOf({ ...production, DATABASE_URL }).join()).not.toContain('hunter2')
  expect(faultsOf({ DATABASE_URL })).toEqual([])
})

describe('the configuration takes', () => {
  test('limits turned off', () => {
    const off = { LIMIT_IP_PER_10_MIN: 'off', LIMIT_SITE_MAILS_PER_HOUR: 'off' }
    expect(configOf(off)).toMatchObject({
      signUpsPerNetworkIn10Minutes: Infinity,
      siteMailsPerHour: Infinity,
    })
  })

  test('origins as browsers write them, and in production no others', () => {
    const origins = {
      PUBLIC_URL: 'https://Bot.Example:443/',
      ALLOWED_ORIGINS: 'https://a.example, https://b.example/',
    }
    expect(configOf({ ...production, ...origins })).toMatchObject({
      publicUrl: 'https://bot.example',
      functionsUrl: 'https://bot.example/functions/v1',
      allowedOrigins: ['https://a.example', 'https://b.example'],
    })
    const FUNCTIONS_URL = 'https://project.example/functions/v1/'
    expect(configOf({ FUNCTIONS_URL }).functionsUrl).toBe('https://project.example/functions/v1')
  })

  test.each([
    ['Bot <bot@mail.example>', { name: 'Bot', address: 'bot@mail.example' }],
    ['"The Bot, Ltd" <bot@mail.example>', { name: 'The Bot, Ltd', address: 'bot@mail.example' }],
    ['bot@Mail.Example', { name: '', address: 'bot@Mail.Example' }],
  ])('the sender %s', (MAIL_FROM, mailFrom) => {
    expect(configOf({ MAIL_FROM })).toMatchObject({ mailFrom, senderDomain: 'mail.example' })
  })

  test('an RSA key for DKIM, and no other, since mail would leave unsigned', () => {
    const rsa = signingWith(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)
    expect(configOf(rsa).dkim).toMatchObject({ domain: 'mail.example', selector: 's1' })
    const ed25519 = signingWith(generateKeyPairSync('ed25519').privateKey)
    expect(faultsOf(ed25519)).toEqual([expect.stringMatching(/^DKIM_PRIVATE_KEY_FILE must be /)])
  })

  test.each([',', ' '])('several secrets of a webhook, joined by "%s"', (separator) => {
    const secrets = [whsec(24), whsec(64)]
    const WEBHOOK_URL = 'http://n8n:5678/webhook/1'
    const { webhook } = configOf({ WEBHOOK_URL, WEBHOOK_SECRET: secrets.join(separator) })
    expect(webhook).toEqual({ url: WEBHOOK_URL, secrets, people: 'consented' })
  })

  test('ten minutes for the final reply in production, unless a timeout is set', () => {
    expect(configOf(production).finalReplySeconds).toBe(600)
    expect(configOf({ ...production, MAIL_TIMEOUT_SECONDS: '20' }).finalReplySeconds).toBe(20)
  })
})

function signingWith(key: KeyObject): Environment {
  const file = join(temporaryFolder(), 'key.pem')
  writeFileSync(file, key.export({ type: 'pkcs8', format: 'pem' }))
  return { DKIM_DOMAIN: 'mail.example', DKIM_SELECTOR: 's1', DKIM_PRIVATE_KEY_FILE: file }
}

function configOf(environment: Environment): Config {
  const read = readSettings(environment)
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  return read.config
}

function faultsOf(environment: Environment): string[] {
  const read = readSettings(environment)
  return 'faults' in read ? read.faults : []
}
