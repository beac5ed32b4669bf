import sql from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import { accepted, relayAway } from '#rigs/mail/programmable-mailer.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import {
  linkOf,
  newSubscriber,
  ownOrigin,
  type TestApp,
  type TestAppOptions,
  testApp,
} from '#rigs/server/test-app.ts'
import type { MailMessage } from '#site/mail/mail-message.ts'
import type { OwnFiles } from '#site/source.ts'
import { escapeHtml } from '#site/text/escape-html.ts'
import type { ContentValue } from '#site/words/description.ts'
import { publish } from './publish.ts'
import { readBundle } from './versions/bundles.ts'
import { listVersions, readPublished, readVersion } from './versions/versions.ts'

const { folder: dist, renderer } = renderingBuild()

/** An app that renders. */
function renderingApp(options: TestAppOptions = {}): Promise<TestApp> {
  return testApp({ ...options, parts: { dist, renderer, ...options.parts } })
}

function publishTexts(app: TestApp, texts: Record<string, ContentValue>, files: OwnFiles = {}) {
  return publish(app.context, { content: { texts }, files, about: 'A test' })
}

const withRule = { 'kit.rule': 'It buys when the RSI turns.' }

const ownScript = (version = '1.0.0') => ({
  name: 'rsi turn.pine',
  mediaType: 'text/plain',
  bytes: Buffer.from(
    `//@version=6\n// Version ${version}, 2026-11-30\nstrategy("RSI turn", "RSI")\nlength = input.int(14, "Length")\n`,
  ),
})

test('a published text is on the page, in the mail of the next sign-up, and not in one that waits', async () => {
  const app = await renderingApp()
  await app.signUp('before@example.com')
  const outcome = await publishTexts(app, {
    'brand.name': 'Tide Bot',
    'starterEmail.heading': 'Here is your tide.',
  })
  expect(outcome.kind).toBe('published')
  expect((await app.inject('/')).body).toContain('Tide Bot')
  await app.signUp('after@example.com')
  const templates = await app.database.rows<{ address: string; content: string }>(sql`
    select s.address, m.content from deliveries d
    join subscribers s on s.id = d.subscriber join mail_templates m on m.hash = d.template`)
  const by = new Map(templates.map(({ address, content }) => [address, content]))
  expect(by.get('after@example.com')).toContain('Here is your tide.')
  expect(by.get('before@example.com')).not.toContain('Here is your tide.')
})

test('the published name is the sender’s, unless the settings give another', async () => {
  const settings = { source: {} }
  const app = await renderingApp({ config: settings })
  const words = { 'brand.name': 'Tide Bot' }
  app.mailer.answer(() => relayAway)
  await app.signUp('before@example.com')
  await publishTexts(app, words)
  app.mailer.answer(() => accepted)
  await app.signUp('after@example.com')
  const written = () => app.mailer.attempts.filter(({ message }) => nameOf(message) === 'Tide Bot')
  await expect.poll(app.passing(written)).toHaveLength(2)
  const set = await renderingApp()
  await publishTexts(set, words)
  expect(set.context.config.mailFrom.name).toBe('Bot')
})

test('a sign-up by the page is kept with its words of then, and one by a program without any', async () => {
  const app = await renderingApp()
  await publishTexts(app, { 'landingPage.hero.lede': 'I mail you the tide.' })
  await app.signUp('ada@example.com', { 'x-attribution': 'form=hero' })
  await app.signUp('program@example.com')
  const kept = await app.database.rows<{ words: string | null }>(sql`
    select w.content as words from subscribers s
    left join wordings w on w.hash = s.wording order by s.id`)
  expect(kept.map(({ words }) => words)).toEqual([
    expect.stringContaining('I mail you the tide.'),
    null,
  ])
})

test.each([
  { at: 'the switch', path: '', action: '/announcements#', fields: 'announcements=on' },
  { at: 'the question after a copy', path: '', action: '/news#', fields: 'place=copied' },
  { at: 'the page behind the mail', path: '/news', action: '/news#', fields: '' },
])(
  'a consent is kept with the words on the screen, also if others are published meanwhile: at $at',
  async ({ path, action, fields }) => {
    const app = await renderingApp()
    await publishTexts(app, { 'whatChanged.announcements.label': 'Tell me when the tide turns' })
    await app.signUp('ada@example.com')
    const link = await linkOf(app, 'ada@example.com')
    const { body } = await app.inject(link + path)
    await publishTexts(app, { 'whatChanged.announcements.label': 'Tell me of the moon' })
    const form = body.split('<form').find((one) => one.includes(`${link}${action}`)) ?? ''
    const [, wording = ''] = /name="wording" value="([^"]+)"/.exec(form) ?? []
    const url = link + (action === '/news#' ? '/news' : '/announcements')
    const headers = { origin: ownOrigin, 'content-type': 'application/x-www-form-urlencoded' }
    await app.inject({ method: 'POST', url, headers, payload: `${fields}&wording=${wording}` })
    const kept = await app.database.row<{ words: string }>(sql`
      select w.content as words from subscribers s
      join wordings w on w.hash = s.announcements_wording`)
    const { language: _, place: __, ...words } = JSON.parse(kept?.words ?? '{}')
    // The form of the page behind the mail has its words before it.
    const shown = path === '' ? form.slice(0, form.indexOf('</form>')) : body
    for (const text of Object.values<string>(words)) expect(shown).toContain(escapeHtml(text))
    expect(JSON.stringify(words)).toContain('Tell me when the tide turns')
  },
)

test('the policy allows the inline styles of the published page', async () => {
  const app = await renderingApp()
  await publishTexts(app, { 'palette.light.rule': '#d0d0d0' })
  const { headers, body } = await app.inject('/')
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(body) ?? []
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
  expect(style).toContain('#d0d0d0')
  expect(headers['content-security-policy']).toContain(Buffer.from(digest).toString('base64'))
})

test('a fault is refused with its field, and nothing changes', async () => {
  const app = await renderingApp()
  const outcome = await publishTexts(app, { 'brand.name': '' })
  expect(outcome).toEqual({
    kind: 'refused',
    findings: [{ path: 'brand.name', message: 'A text must stand here.', kind: 'fault' }],
  })
  expect(await listVersions(app.database)).toEqual([])
})

test('a version whose record cannot be written is not published', async () => {
  const app = await renderingApp()
  const record = () => Promise.reject(new Error('No room'))
  const content = { texts: { 'brand.name': 'Tide Bot' } }
  const publishing = publish(app.context, { content, files: {}, about: 'A test', record })
  await expect(publishing).rejects.toThrow('No room')
  expect(await listVersions(app.database)).toEqual([])
})

test('markup in a text is text', async () => {
  const app = await renderingApp()
  await publishTexts(app, { 'landingPage.hero.lede': '<img src=x onerror=alert(1)> & more' })
  expect((await app.inject('/')).body).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; more')
})

test('a script of the owner’s own is given away under its name, and by the address of ours', async () => {
  const app = await renderingApp()
  const { address } = await newSubscriber(app)
  const script = ownScript()
  await publishTexts(app, withRule, { script })
  const link = await linkOf(app, address)
  for (const name of ['rsi-turn.pine', 'ema-crossover.pine']) {
    const answer = await app.inject(`${link}/${name}`)
    expect(answer.rawPayload.equals(script.bytes), name).toBe(true)
    expect(answer.headers['content-disposition']).toContain('rsi-turn.pine')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  }
  expect((await app.inject(link)).body).toContain('Version 1.0.0')
})

test('script and guide are served without a temporary folder, which systems clean', async () => {
  const app = await renderingApp()
  await app.signUp('ada@example.com')
  vi.stubEnv('TMPDIR', '/nowhere')
  onTestFinished(() => void vi.unstubAllEnvs())
  await published(app, { ...withRule, 'brand.name': 'Tide Bot' }, { script: ownScript() })
  const link = await linkOf(app, 'ada@example.com')
  expect((await app.inject(`${link}/rsi-turn.pine`)).rawPayload).toEqual(ownScript().bytes)
  expect((await app.inject(`${link}/setup-guide.pdf`)).body).toMatch(/^%PDF-/)
})

test('a start serves what was published, and so does another instance that runs', async () => {
  const app = await renderingApp()
  const other = await renderingApp({ databaseUrl: app.databaseUrl })
  await publishTexts(app, { 'brand.name': 'Tide Bot' })
  const cannot = { ...renderer, make: () => Promise.reject(new Error('no font')) }
  const { databaseUrl } = app
  const later = await renderingApp({ databaseUrl, parts: { renderer: cannot } })
  expect((await later.inject('/')).body).toContain('Tide Bot')
  await expect.poll(async () => (await other.inject('/')).body).toContain('Tide Bot')
})

test('what was drawn is served', async () => {
  const app = await renderingApp()
  const { version } = await published(app, { 'brand.name': 'Łódź Bot' })
  const { root } = await readBundle(app.database, version.bundle)
  const served = await app.inject('/og.png')
  expect(served.rawPayload.equals(Buffer.from(root['og.png']!))).toBe(true)
})

test('a chart of the owner’s own stands in the frame of ours, with one for the dark and one for phones', async () => {
  const app = await renderingApp()
  const chartOf = (width: number, height: number) => ({
    name: 'run.svg',
    mediaType: 'image/svg+xml',
    bytes: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"/>`,
    ),
  })
  const charts = {
    chart: chartOf(800, 300),
    chartDark: chartOf(800, 301),
    chartPhone: chartOf(390, 360),
  }
  const texts = { 'landingPage.chart.crop': 'top', 'kit.rule': 'It buys dips.' }
  await published(app, texts, { script: ownScript(), ...charts })
  const { body } = await app.inject('/')
  const [picture = ''] = /<picture>.*?<\/picture>/.exec(body) ?? []
  const shown = picture.replaceAll(/\?[\w-]+/g, '')
  expect(shown).toContain('media="(max-width:44.9988em)" srcSet="/own-chart-phone.svg" width="390"')
  expect(shown).toContain('media="(prefers-color-scheme:dark)" srcSet="/own-chart-dark.svg"')
  expect(shown).toContain(
    '<img class="own-chart" data-crop="top" src="/own-chart.svg" width="800" height="300"',
  )
  for (const name of ['own-chart', 'own-chart-dark', 'own-chart-phone']) {
    expect((await app.inject(`/${name}.svg`)).headers['content-security-policy']).toContain(
      "default-src 'none'",
    )
  }
})

test('fifty versions are kept', async () => {
  const app = await renderingApp()
  const rows = Array.from({ length: 60 }, (_, index) => index)
  for (const row of rows) {
    await app.change(sql`
      insert into page_versions
        (state, revision, changed_at, about, difference, files, last_changes, bundle)
      values ('published', 1, ${row}, 'old', '{"texts":{}}', '{}', '{}', '{}')`)
  }
  const { version } = await published(app, {})
  const versions = await listVersions(app.database)
  expect(versions).toHaveLength(50)
  expect(versions[0]?.id).toBe(version.id)
  expect(await readPublished(app.database)).toEqual(version)
  expect(await readVersion(app.database, 1)).toBeUndefined()
})

async function published(app: TestApp, texts: Record<string, ContentValue>, files: OwnFiles = {}) {
  const outcome = await publishTexts(app, texts, files)
  if (outcome.kind !== 'published') throw new Error(JSON.stringify(outcome))
  return outcome
}

function nameOf({ from }: MailMessage): string {
  return typeof from === 'string' ? from : from.name
}
