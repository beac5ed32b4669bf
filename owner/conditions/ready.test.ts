import { expect, onTestFinished, test } from 'vitest'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { ownScript, pageDesk } from '#rigs/owner/page-desk.ts'
import { smtpFields, takenDesk } from '#rigs/owner/taken-desk.ts'
import { refusalOf } from '#rigs/owner/test-desk.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import { defaultContent } from '#content/content.ts'
import { speakOfOurs } from '#site/words/checks/our-script.ts'
import type { ContentValue } from '#site/words/description.ts'

const { folder: dist, renderer } = renderingBuild()

const ours = { script: false, guide: false, sharePicture: false }
const named = { 'brand.creatorName': 'Mara Lindholm', 'brand.postalAddress': 'Storgatan 14' }

/** A new desk that renders. */
async function newDesk() {
  const { app, browser, desk } = await takenDesk({}, { dist, renderer })
  const inbox = await startSmtpInbox()
  onTestFinished(() => inbox.close())
  const { type, put, publish } = pageDesk(app, browser)
  return {
    desk,
    publish,
    ready: () => desk.ready.show.query(),
    async typeAll(texts: Record<string, ContentValue>) {
      for (const [path, value] of Object.entries(texts)) await type(path, value)
    },
    putScript: (version = '1.0.0') => put('script', 'rsi-turn.pine', ownScript(version)),
    async setUpMailAndAddress() {
      const fields = smtpFields(inbox.port)
      await desk.mailService.save.mutate(fields)
      await desk.mailService.test.mutate(fields)
      await desk.address.save.mutate({ publicUrl: app.url, isSure: false })
    },
    home: async () => (await fetch(app.url)).status,
  }
}

test('a new desk says what is missing, and the page cannot be opened', async () => {
  const { desk, ready, home } = await newDesk()
  const { isHeldBack, lines } = await ready()
  expect(isHeldBack).toBe(true)
  expect(lines).toMatchObject({
    name: { state: 'missing', place: 'page#brand.creatorName' },
    words: { state: 'done' },
    mail: { state: 'missing' },
    address: { state: 'missing' },
    checkUp: { state: 'waiting' },
  })
  expect(await refusalOf(desk.ready.open.mutate())).toEqual({
    status: 409,
    message:
      'Not yet: your name and your postal address are missing, and the mail service is missing, and the address on the internet is missing.',
  })
  expect(await home()).toBe(503)
})

test('a page of which nothing is missing opens, and strangers see it from then on', async () => {
  const { desk, ready, typeAll, publish, setUpMailAndAddress, home } = await newDesk()
  await typeAll(named)
  await publish()
  await setUpMailAndAddress()
  expect(await ready()).toMatchObject({
    obstacles: [],
    lines: {
      name: { state: 'done', words: 'Mara Lindholm, Storgatan 14' },
      mail: { state: 'done' },
      address: { state: 'done' },
    },
  })
  expect(await home()).toBe(503)
  await desk.ready.open.mutate()
  expect(await home()).toBe(200)
  expect((await ready()).isHeldBack).toBe(false)
})

test('texts that speak of our script hold the page back, until they are rewritten or called true', async () => {
  const { desk, ready, typeAll, putScript, publish, setUpMailAndAddress } = await newDesk()
  await setUpMailAndAddress()
  await typeAll({ ...named, 'landingPage.hero.lede': 'It buys when the RSI turns.' })
  await putScript()
  await publish()
  const { words } = (await ready()).lines
  const left = Number(words.tag.split(' ')[0])
  expect(words).toMatchObject({ state: 'missing', tag: `${left} left`, place: 'page/files' })
  expect(words.words).toBe(
    `${left} texts still speak of the EMA crossover, and your script is rsi-turn.pine. 3 texts are changed.`,
  )
  expect(await refusalOf(desk.ready.open.mutate())).toMatchObject({
    message: `Not yet: ${left} texts speak of another script.`,
  })
  const { published } = await desk.page.show.query()
  const { defaults, own } = { defaults: defaultContent, own: { ...ours, script: true } }
  const found = speakOfOurs({ texts: published }, { defaults, own })
  await typeAll({ stillTrue: found.map(({ path }) => path) })
  await publish()
  expect((await ready()).obstacles).toEqual([])
  await desk.ready.open.mutate()
})

test('a new script asks again what was called true of the one before', async () => {
  const { desk, typeAll, putScript, publish } = await newDesk()
  await typeAll({ stillTrue: ['brand.tagline'] })
  await putScript()
  expect((await desk.page.show.query()).texts).not.toHaveProperty('stillTrue')
  await typeAll({ stillTrue: ['brand.tagline'] })
  await publish()
  await putScript('1.1.0')
  expect((await desk.page.show.query()).texts).not.toHaveProperty('stillTrue')
})

test('a script that is published after the page was opened closes nothing', async () => {
  const { desk, ready, typeAll, putScript, publish, setUpMailAndAddress, home } = await newDesk()
  await typeAll(named)
  await publish()
  await setUpMailAndAddress()
  await desk.ready.open.mutate()
  await putScript()
  await publish()
  expect(await home()).toBe(200)
  expect((await ready()).lines.words.state).toBe('missing')
})
