import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { ownerOf } from '#rigs/owner/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import type { Prompt } from '../../command-line/command-context.ts'

const root = join(import.meta.dirname, '../../..')

const flags = {
  name: "Ada's Bot",
  creator: 'Ada "Countess" Byron',
  'postal-address': `Miller's "Old House", C:\\Springfield`,
  'public-url': 'http://localhost:9',
  'smtp-url': 'smtp://ada:se%23cret@localhost:9',
  'mail-from': 'Ada <ada@localhost.test>',
  'owner-email': 'ada@example.com',
}

test('flags answer every question, and both files are written, of which neither switches production on', async () => {
  const { folder, run } = openProject()
  const { printed } = await run(...asWords(flags))
  const brand = readFileSync(join(folder, 'content/brand.ts'), 'utf8')
  expect(brand).toContain(`  name: "Ada's Bot",`)
  expect(brand).toContain(`  creatorName: 'Ada "Countess" Byron',`)
  expect(brand).toContain('  postalAddress: `Miller\'s "Old House", C:\\\\Springfield`,\n')
  expect(settingsOf(folder)).toEqual({
    ANON_KEY: expect.stringMatching(/^[\w-]{22}$/),
    PUBLIC_URL: 'http://localhost:9',
    SMTP_URL: 'smtp://ada:se%23cret@localhost:9',
    MAIL_FROM: 'Ada <ada@localhost.test>',
    OWNER_EMAIL: 'ada@example.com',
  })
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
  expect(printed).toContain('Run "npm run artwork", which draws')
  expect(printed).not.toContain('se%23cret')
})

test('without a terminal a missing answer is a usage error that names every flag, and nothing is written', async () => {
  const { folder, run } = openProject()
  const { code, aside } = await run('--name', 'Ada')
  expect(code).toBe(2)
  for (const flag of [
    '--creator',
    '--postal-address',
    '--public-url',
    '--mail-from',
    '--owner-email',
  ]) {
    expect(aside).toContain(flag)
  }
  expect(existsSync(join(folder, '.env'))).toBe(false)
})

test('wrong and missing answers are named at once, and nothing is written', async () => {
  const { folder, run } = openProject()
  const { creator: _missing, 'mail-from': _suggested, ...given } = flags
  const wrong = { ...given, 'public-url': 'https://bot.example.com/page', 'owner-email': 'nobody' }
  const { code, aside } = await run(...asWords(wrong), '--yes')
  expect(code).toBe(2)
  expect(aside).toMatch(
    /--public-url: PUBLIC_URL .*\n--owner-email: .*\n.* Give these as well: --creator\.\n/,
  )
  expect(existsSync(join(folder, '.env'))).toBe(false)
})

test('an .env is kept unless the owner agrees, and its other lines stay', async () => {
  const { folder, run } = openProject()
  writeFileSync(join(folder, '.env'), '# mine\nPORT=8080\nPUBLIC_URL=http://old\n')
  const refused = await run(...asWords(flags))
  expect([refused.code, refused.aside]).toEqual([1, expect.stringContaining('Add --yes')])
  expect(readFileSync(join(folder, '.env'), 'utf8')).toContain('http://old')
  await run(...asWords(flags), '--yes')
  expect(settingsOf(folder)).toMatchObject({ PORT: '8080', PUBLIC_URL: 'http://localhost:9' })
  expect(readFileSync(join(folder, '.env'), 'utf8')).toContain('# mine')
  const brand = readFileSync(join(folder, 'content/brand.ts'), 'utf8')
  await run(...asWords(flags), '--yes')
  expect(readFileSync(join(folder, 'content/brand.ts'), 'utf8')).toBe(brand)
})

test.each([
  ['bot.example.com', 'https://bot.example.com'],
  [' bot.example.com ', 'https://bot.example.com'],
  ['localhost:9', 'http://localhost:9'],
])('the bare host "%s" becomes %s', async (typed, url) => {
  const { folder, run } = openProject()
  const outcome = await run(...asWords({ ...flags, 'public-url': typed }))
  expect(outcome.code).toBe(0)
  expect(settingsOf(folder)).toMatchObject({ PUBLIC_URL: url })
})

test('the files are written although the doctor then finds something wrong, and it judges them as a launch', async () => {
  const { folder, run } = openProject()
  const { code, printed } = await run(
    ...asWords({ ...flags, 'public-url': 'http://bot.example.com' }),
  )
  expect(code).toBe(0)
  expect(printed).toMatch(
    /WRONG +Links in the mail lead to http:\/\/bot\.example\.com: not encrypted/,
  )
  expect(existsSync(join(folder, '.env'))).toBe(true)
})

/** Answers in a terminal, in order; an empty one takes the suggestion. */
function typing(answers: string[], asked: Prompt[] = []) {
  return async (prompt: Prompt) => {
    asked.push(prompt)
    return answers.shift() || (prompt.defaultValue ?? '')
  }
}

const typed = ['Ada', '12 High Street', 'smtp', 'smtp://localhost:9', '', 'ada@example.com']

test('in a terminal the missing answers are asked for, each with its check, and the offer last, which may be skipped', async () => {
  const asked: Prompt[] = []
  const { folder, run } = openProject(typing([...typed], asked))
  await run('--name', 'Ada Bot', '--public-url', 'bot.localhost:9')
  expect(asked.map(({ isSecret }) => isSecret === true)).toEqual([
    false,
    false,
    false,
    true,
    false,
    false,
    false,
  ])
  expect(asked[5]?.validate?.('nobody')).toMatch(/^OWNER_EMAIL must /)
  expect(asked[6]?.message).toContain('no offer')
  expect(settingsOf(folder)).toMatchObject({ MAIL_FROM: 'Ada Bot <hello@bot.localhost>' })
  expect(offerIn(folder)).toContain('undefined = undefined')
})

test('an offer is written whole, and not asked for again', async () => {
  const offer = ['example.com/course', 'The course', "Ada's twelve lessons.", 'See it']
  const { folder, run } = openProject(typing([...typed, ...offer]))
  await run('--name', 'Ada Bot', '--public-url', 'bot.localhost:9')
  const written = offerIn(folder)
  expect(written).toContain('export const offer: Offer | undefined = {')
  for (const text of [
    "url: 'https://example.com/course'",
    "title: 'The course'",
    'text: "Ada\'s twelve lessons."',
    "linkText: 'See it'",
  ]) {
    expect(written).toContain(text)
  }
  const asked: Prompt[] = []
  const again = openProject(typing([...typed], asked), {}, folder)
  await again.run('--name', 'Ada Bot', '--public-url', 'bot.localhost:9')
  expect(asked.some(({ message }) => message.includes('no offer'))).toBe(false)
  expect(offerIn(folder)).toBe(written)
})

test('in a terminal a wrong flag is named before anything is asked', async () => {
  const { run } = openProject(() => Promise.reject(new Error('Nothing may be asked')))
  const { code, aside } = await run('--public-url', 'ftp://bot.example.com')
  expect([code, aside]).toEqual([2, expect.stringMatching(/^[^\n]*--public-url: PUBLIC_URL/)])
  expect(aside).not.toContain('no terminal')
})

test('an https site trusts its proxy, and keeps the key and the number of proxies that it has', async () => {
  const https = asWords({ ...flags, 'public-url': 'https://127.0.0.1:9' })
  const fresh = openProject()
  await fresh.run(...https)
  expect(settingsOf(fresh.folder)).toMatchObject({ TRUST_PROXY: '1' })
  const own = { TRUST_PROXY: '2', ANON_KEY: 'mine' }
  const kept = openProject(undefined, own)
  await kept.run(...https)
  expect(settingsOf(kept.folder)).toMatchObject(own)
})

test('Ctrl C changes nothing', async () => {
  const { folder, run } = openProject(async () => undefined)
  const { code, aside } = await run('--name', 'Ada Bot')
  expect([code, aside]).toEqual([1, 'Stopped. Nothing was changed.\n'])
  expect(existsSync(join(folder, '.env'))).toBe(false)
})

function openProject(
  ask?: (prompt: Prompt) => Promise<string | undefined>,
  environment = {},
  folder = temporaryFolder(),
) {
  if (!existsSync(join(folder, 'content'))) {
    mkdirSync(join(folder, 'content'))
    for (const name of ['content/brand.ts', 'content/offer.ts']) {
      copyFileSync(join(root, name), join(folder, name))
    }
  }
  const owner = ownerOf(`file:${join(folder, 'list.db')}`, environment, { folder, ask })
  return { folder, run: (...words: string[]) => owner('setup', ...words) }
}

function asWords(answers: Readonly<Record<string, string>>): string[] {
  return Object.entries(answers).flatMap(([flag, value]) => [`--${flag}`, value])
}

function settingsOf(folder: string) {
  return parseEnv(readFileSync(join(folder, '.env'), 'utf8'))
}

function offerIn(folder: string): string {
  return readFileSync(join(folder, 'content/offer.ts'), 'utf8')
}
