import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { type Config, type Environment, readConfig } from './config.ts'

describe('without any variable', () => {
  test('the site runs on this machine', () => {
    expect(configOf({})).toMatchObject({
      publicUrl: 'http://localhost:3000',
      functionsUrl: 'http://localhost:3000/functions/v1',
      databaseUrl: 'file:data/starter-bot.db',
      smtpUrl: undefined,
      mailFrom: { name: brand.name, address: 'starter@localhost' },
      trustedProxies: 0,
      signUpsPerNetworkIn10Minutes: 20,
      mailsPerAddressADay: 3,
      siteMailsPerHour: 600,
      resendAfterSeconds: 900,
      retrySeconds: [60, 300, 1800, 7200, 21_600, 86_400],
      metricsToken: undefined,
    })
  })
})

describe('errors of the configuration', () => {
  test.each([
    ['NODE_ENV', ['prod', 'Production', 'staging']],
    ['PORT', ['0', '65536', '80x', '-1', '3e3', ' 80']],
    [
      'PUBLIC_URL',
      ['example.com', 'https://a.b/c', 'ftp://example.com', 'https://a.b/?q', 'https://a.b/#', 'x'],
    ],
    [
      'FUNCTIONS_URL',
      ['example.com', 'ftp://a.example/f', 'https://a.example/f?q=1', 'https://me:pw@a.example/f'],
    ],
    ['DATABASE_URL', ['data/file.db', 'file:', 'mysql://host/db', 'postgres://']],
    ['SMTP_URL', ['mail.example', 'http://mail.example', 'smtp://', 'smtp:///']],
    ['ANON_KEY', [' key', 'two words', 'schlüssel']],
    ['MAIL_API', ['smtp', 'Resend', 'postmark,resend']],
    ['MAIL_API_KEY', ['two words', 'käse', 'a\r\nX-Other: b']],
    [
      'MAIL_API_BASE_URL',
      [
        'api.example',
        'http://api.example',
        'https://me:pw@api.example',
        'https://a.example/?q',
        'ftp://127.0.0.1',
      ],
    ],
    ['MAIL_FROM', ['nobody', 'Name <nobody>', 'a@b.co, c@d.co', 'A\nB <a@b.co>']],
    ['SUPPORT_EMAIL', ['nobody', 'a@b']],
    ['OWNER_EMAIL', ['nobody', 'a@b', 'a@b.co, c@d.co']],
    ['ALLOWED_ORIGINS', ['https://a.example/path', 'https://a.example,nonsense', '*']],
    ['TRUST_PROXY', ['yes', '-1', '11', '1.5']],
    ['LIMIT_IP_PER_10_MIN', ['0', 'OFF', '-3', 'many']],
    ['LIMIT_ADDRESS_PER_DAY', ['0', '1.5']],
    ['LIMIT_SITE_MAILS_PER_HOUR', ['0', 'no']],
    ['RESEND_AFTER_SECONDS', ['-1', '15 min']],
    ['MAIL_RETRY_SECONDS', ['60,', '60;300', 'soon', '60, 300']],
    ['MAIL_TIMEOUT_SECONDS', ['0', '3601']],
    ['MAIL_CONCURRENCY', ['0', '101']],
    ['HIDE_ALREADY_EXISTS', ['true', 'YES']],
    ['LOG_LEVEL', ['verbose']],
    ['METRICS_TOKEN', ['short', '123456789012345678901']],
    ['BOUNCE_TOKEN', ['short', '123456789012345678901']],
    ['WEBHOOK_PEOPLE', ['all', 'Everyone']],
    ['WEBHOOK_URL', ['hook.example', 'ftp://hook.example', 'https://me:pw@hook.example']],
    [
      'WEBHOOK_SECRET',
      [
        'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        'whsec_tooShort',
        `whsec_${'A'.repeat(90)}`,
        'whsec_not*base64*but*long*enough*for*it',
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw,x',
      ],
    ],
    ['DKIM_PRIVATE_KEY_FILE', ['/no/such/file', '/', import.meta.filename]],
  ] as [string, string[]][])('name the variable %s', (name, values) => {
    for (const value of values)
      expect(faultsOf({ [name]: value })).toContainEqual(expect.stringMatching(`^${name} `))
  })

  test('are all listed in one message', () => {
    const faults = faultsOf({
      PORT: 'x',
      PUBLIC_URL: 'y',
      LOG_LEVEL: 'z',
      DKIM_DOMAIN: 'd',
      NODE_ENV: 'production',
    })
    const named = faults.map((fault) => fault.split(' ', 1).join())
    expect(named.toSorted()).toEqual(
      ['DKIM_PRIVATE_KEY_FILE', 'DKIM_SELECTOR', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'SMTP_URL'].toSorted(),
    )
  })

  test('name every wrong origin of a list', () => {
    expect(faultsOf({ ALLOWED_ORIGINS: 'foo, https://a.example, https://b.example/path' })).toEqual([
      'ALLOWED_ORIGINS must be origins such as https://example.com, without a path, not "foo" and "https://b.example/path"',
    ])
  })

  test('do not repeat a password or a token', () => {
    const faults = faultsOf({
      SMTP_URL: 'stmp://me:hunter2@mail.example',
      DATABASE_URL: 'pg://me:hunter2@db',
      METRICS_TOKEN: 'hunter2',
      BOUNCE_TOKEN: 'hunter2',
      WEBHOOK_URL: 'https://me:hunter2@hook.example',
      WEBHOOK_SECRET: 'whsec_hunter2',
      MAIL_API: 'resend',
      MAIL_API_KEY: 'hunter2 hunter2',
      MAIL_API_BASE_URL: 'https://me:hunter2@api.example',
    })
    expect(faults.map((fault) => fault.split(' ', 1).join()).toSorted()).toEqual([
      'BOUNCE_TOKEN',
      'DATABASE_URL',
      'MAIL_API',
      'MAIL_API_BASE_URL',
      'MAIL_API_KEY',
      'METRICS_TOKEN',
      'SMTP_URL',
      'WEBHOOK_SECRET',
      'WEBHOOK_URL',
    ])
    expect(faults.join('\n')).not.toContain('hunter2')
  })
})

test('a variable that nothing reads is named if it is almost one that is read', () => {
  const misspelt = {
    SMPT_URL: 'x',
    PUBLIC_URI: 'x',
    LIMIT_SITE_MAIL_PER_HOUR: 'x',
    HOME: '/',
    HOSTNAME: 'x',
    npm_config_cache: 'x',
  }
  const hints = [
    'SMPT_URL is unknown: did you mean SMTP_URL?',
    'PUBLIC_URI is unknown: did you mean PUBLIC_URL?',
    'LIMIT_SITE_MAIL_PER_HOUR is unknown: did you mean LIMIT_SITE_MAILS_PER_HOUR?',
  ]
  expect(readConfig(misspelt)).toMatchObject({ hints })
  expect(faultsOf({ ...misspelt, PORT: 'x' }).slice(1)).toEqual(hints)
})

test.each([
  ['WEBHOOK_URL', 'https://hook.example/'],
  ['WEBHOOK_SECRET', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
])('%s alone is an error', (name, value) => {
  expect(faultsOf({ [name]: value })).toEqual(['WEBHOOK_URL or WEBHOOK_SECRET is missing: they go together'])
})

describe('a mail API', () => {
  const MAIL_API_KEY = 're_hunter2'

  test.each([
    ['resend', 'https://api.resend.com'],
    ['postmark', 'https://api.postmarkapp.com'],
  ])('%s is asked at its own address', (MAIL_API, baseUrl) => {
    const config = configOf({ NODE_ENV: 'production', MAIL_API, MAIL_API_KEY })
    expect(config.mailApi).toEqual({ provider: MAIL_API, key: MAIL_API_KEY, baseUrl })
    expect([config.smtpUrl, config.hasLocalInbox]).toEqual([undefined, false])
  })

  test.each([
    ['https://mail.example/v1/', 'https://mail.example/v1'],
    ['http://127.0.0.1:9999', 'http://127.0.0.1:9999'],
    ['http://localhost:1/x', 'http://localhost:1/x'],
  ])('can be at %s', (MAIL_API_BASE_URL, baseUrl) => {
    const config = configOf({ MAIL_API: 'resend', MAIL_API_KEY, MAIL_API_BASE_URL })
    expect(config.mailApi?.baseUrl).toBe(baseUrl)
  })

  test('needs a key, takes no SMTP relay beside it, and is named where its key is set; all at once', () => {
    const SMTP_URL = 'smtp://mail.example'
    expect(faultsOf({ NODE_ENV: 'production', MAIL_API: 'resend', SMTP_URL })).toEqual([
      expect.stringMatching(/^MAIL_API_KEY is missing/),
      expect.stringMatching(/^MAIL_API and SMTP_URL are both set/),
    ])
    const unnamed = faultsOf({ SMTP_URL, MAIL_API_KEY, MAIL_API_BASE_URL: 'https://mail.example' })
    expect(unnamed).toEqual([
      expect.stringMatching(/^MAIL_API_KEY is set without MAIL_API/),
      expect.stringMatching(/^MAIL_API_BASE_URL is set without MAIL_API/),
    ])
    expect(unnamed.join()).not.toContain('hunter2')
  })
})

describe('the local inbox', () => {
  test('is refused in production', () => {
    expect(faultsOf({ NODE_ENV: 'production' })).toEqual([expect.stringMatching(/^SMTP_URL is missing/)])
  })

  test.each([
    { PUBLIC_URL: 'https://bot.example' },
    { PUBLIC_URL: 'http://192.168.1.5:3000' },
    { PUBLIC_URL: 'http://127.0.0.1.example.com' },
    { PUBLIC_URL: 'http://localhost.example.com' },
    { PUBLIC_URL: 'http://[::2]:3000' },
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: 'bot.example' },
  ])('is refused where others could open it: %o', (environment) => {
    const [name] = Object.keys(environment)
    expect(faultsOf(environment)).toEqual([expect.stringMatching(`^SMTP_URL is missing: ${name} `)])
    expect(faultsOf({ ...environment, SMTP_URL: 'smtp://mail.example' })).toEqual([])
  })

  test.each([
    { PUBLIC_URL: 'https://127.0.0.1', HOST: '127.0.0.2' },
    { PUBLIC_URL: 'http://[::1]:3000', HOST: '::1' },
    { PUBLIC_URL: 'http://bot.localhost', HOST: 'LOCALHOST' },
  ])('is there on loopback addresses: %o', (environment) => {
    expect(configOf(environment).smtpUrl).toBeUndefined()
  })
})

describe('a PostgreSQL on another machine', () => {
  const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://mail.example' }

  test.each(['', '?sslmode=require', '?sslmode=no-verify', '?sslmode=prefer', '?ssl=true'])(
    'is refused in production without verified TLS: "%s"',
    (query) => {
      const DATABASE_URL = `postgres://me:hunter2@db.example/bot${query}`
      const faults = faultsOf({ ...production, DATABASE_URL })
      expect(faults).toEqual([
        expect.stringMatching(/^DATABASE_URL names a remote PostgreSQL without verified TLS/),
      ])
      expect(faults.join('\n')).not.toContain('hunter2')
      expect(faultsOf({ DATABASE_URL })).toEqual([])
    },
  )

  test.each([
    'postgres://db.example/bot?sslmode=verify-full',
    'postgres://db.example/bot?sslmode=verify-ca&sslrootcert=/ca.pem',
    'postgres://db.example/bot?sslmode=disable',
    'postgres://localhost/bot',
    'postgres://127.0.0.1:5433/bot',
    'postgres://[::1]/bot',
    'postgres://%2Fvar%2Frun%2Fpostgresql/bot',
    'postgres:///bot?host=/var/run/postgresql',
    'file:data/starter-bot.db',
  ])('is reached safely, or not at all, with %s', (DATABASE_URL) => {
    expect(faultsOf({ ...production, DATABASE_URL })).toEqual([])
  })

  test.each([
    'postgres://db1.example:5432,db2.example:5432/bot',
    'postgres://db1.example:port/bot',
    'mysql://db.example/bot',
  ])('is refused if its URL cannot be read: %s', (DATABASE_URL) => {
    expect(faultsOf({ DATABASE_URL })).toEqual([expect.stringMatching(/^DATABASE_URL must have the form/)])
  })
})

describe('readConfig reads', () => {
  test('limits turned off', () => {
    const off = { LIMIT_IP_PER_10_MIN: 'off', LIMIT_ADDRESS_PER_DAY: 'off', LIMIT_SITE_MAILS_PER_HOUR: 'off' }
    expect(configOf(off)).toMatchObject({
      signUpsPerNetworkIn10Minutes: Infinity,
      mailsPerAddressADay: Infinity,
      siteMailsPerHour: Infinity,
    })
  })

  test('origins with and without a slash at the end', () => {
    const environment = {
      NODE_ENV: 'production',
      SMTP_URL: 'smtp://mail.example',
      PUBLIC_URL: 'https://bot.example/',
      ALLOWED_ORIGINS: 'https://a.example, https://b.example/',
    }
    expect(configOf(environment)).toMatchObject({
      publicUrl: 'https://bot.example',
      functionsUrl: 'https://bot.example/functions/v1',
      allowedOrigins: ['https://a.example', 'https://b.example'],
    })
  })

  test.each(['https://Bot.Example', 'https://bot.example:443', 'https://bot.example/'])(
    'the origin %s as browsers write it',
    (PUBLIC_URL) => {
      const config = configOf({ SMTP_URL: 'smtp://mail.example', PUBLIC_URL, ALLOWED_ORIGINS: PUBLIC_URL })
      expect([config.publicUrl, config.allowedOrigins[0]]).toEqual(Array(2).fill('https://bot.example'))
    },
  )

  test.each([
    ['https://project.example/functions/v1/', 'https://project.example/functions/v1'],
    ['http://localhost:54321/functions/v1', 'http://localhost:54321/functions/v1'],
    ['https://functions.example', 'https://functions.example'],
  ])('a functions endpoint on another origin, %s', (FUNCTIONS_URL, functionsUrl) => {
    expect(configOf({ FUNCTIONS_URL })).toMatchObject({ functionsUrl })
  })

  test('loopback names as further origins in development', () => {
    const { allowedOrigins } = configOf({ PORT: '4000', ALLOWED_ORIGINS: 'https://a.example' })
    expect(allowedOrigins).toEqual([
      'https://a.example',
      'http://localhost:4000',
      'http://127.0.0.1:4000',
      'http://[::1]:4000',
    ])
  })

  test.each([
    ['Bot <bot@mail.example>', { name: 'Bot', address: 'bot@mail.example' }],
    ['"The Bot, Ltd" <bot@mail.example>', { name: 'The Bot, Ltd', address: 'bot@mail.example' }],
    ['bot@Mail.Example', { name: '', address: 'bot@Mail.Example' }],
  ])('the sender %s', (value, mailFrom) => {
    expect(configOf({ MAIL_FROM: value })).toMatchObject({ mailFrom, senderDomain: 'mail.example' })
  })

  test('all three DKIM variables', () => {
    const { file, environment } = signingWith(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)
    expect(configOf(environment).dkim).toMatchObject({
      domain: 'mail.example',
      selector: 's1',
      privateKeyFile: file,
    })
  })

  test('no DKIM key but an RSA key, since mail would leave unsigned', () => {
    const { environment } = signingWith(generateKeyPairSync('ed25519').privateKey)
    expect(faultsOf(environment)).toEqual([expect.stringMatching(/^DKIM_PRIVATE_KEY_FILE must be /)])
  })

  test.each([
    [',', 'http://n8n:5678/webhook/1'],
    [' ', 'https://hooks.example/catch/1'],
  ])(
    'a webhook in a private network or not, with several secrets joined by "%s"',
    (separator, WEBHOOK_URL) => {
      const secrets = [Buffer.alloc(24, 1), Buffer.alloc(64, 2)].map(
        (key) => `whsec_${key.toString('base64')}`,
      )
      const { webhook } = configOf({ WEBHOOK_URL, WEBHOOK_SECRET: secrets.join(separator) })
      expect(webhook).toEqual({ url: WEBHOOK_URL, secrets, people: 'consented' })
    },
  )

  test('ten minutes for the final reply in production, unless a timeout is set', () => {
    const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://mail.example' }
    expect(configOf(production).finalReplySeconds).toBe(600)
    expect(configOf({ ...production, MAIL_TIMEOUT_SECONDS: '20' }).finalReplySeconds).toBe(20)
    expect(configOf({}).finalReplySeconds).toBe(30)
  })
})

function signingWith(key: KeyObject) {
  const file = join(temporaryFolder(), 'key.pem')
  writeFileSync(file, key.export({ type: 'pkcs8', format: 'pem' }))
  const environment = { DKIM_DOMAIN: 'mail.example', DKIM_SELECTOR: 's1', DKIM_PRIVATE_KEY_FILE: file }
  return { file, environment }
}

function configOf(environment: Environment): Config {
  const read = readConfig(environment)
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  return read.config
}

function faultsOf(environment: Environment): string[] {
  const read = readConfig(environment)
  return 'faults' in read ? read.faults : []
}
