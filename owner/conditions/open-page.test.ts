import { expect, onTestFinished, test } from 'vitest'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { ownRule, ownScript, pageDesk } from '#rigs/owner/page-desk.ts'
import { smtpFields, takenDesk } from '#rigs/owner/taken-desk.ts'
import { refusalOf } from '#rigs/owner/test-desk.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import { readyLines } from './views/ready-lines.ts'
import type { ContentValue } from '#site/words/description.ts'

const { folder: dist, renderer } = renderingBuild()

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
    async ready() {
      const { isHeldBack, conditions, checkUp } = await desk.today.state.query()
      const blocking = conditions.filter(({ severity }) => severity === 'blocks')
      return { isHeldBack, blocking, lines: readyLines({ conditions, checkUp }) }
    },
    async typeAll(texts: Record<string, ContentValue>) {
      for (const [path, value] of Object.entries(texts)) await type(path, value)
    },
    putScript: () => put('script', 'rsi-turn.pine', ownScript('1.0.0')),
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
  expect(lines.map(({ name, tag, place }) => `${name}: ${tag}, ${place}`)).toEqual([
    'Your script: done, ready/script',
    'Your guide: done, ready/guide',
    'You: missing, ready/you',
    'Your words: done, ready/words',
    'Your colour: done, ready/colour',
    'Your mail service: missing, mail-service',
    'Your address on the internet: missing, address',
    'Check-up: 1 warning, check-up',
  ])
  expect(await refusalOf(desk.conditions.openPage.mutate())).toEqual({
    status: 409,
    message:
      'Not yet. Your name and postal address are missing. Your page has no address on the internet yet. No mail service is set up.',
  })
  expect(await home()).toBe(503)
})

test('a page of which nothing is missing opens, and strangers see it from then on', async () => {
  const { desk, ready, typeAll, publish, setUpMailAndAddress, home } = await newDesk()
  await typeAll(named)
  await publish()
  await setUpMailAndAddress()
  const { blocking, lines } = await ready()
  const line = (name: string) => lines.find((one) => one.name === name)
  expect(blocking).toEqual([])
  expect(line('You')).toMatchObject({ tag: 'done', words: 'Mara Lindholm, Storgatan 14' })
  expect(line('Your mail service')).toMatchObject({
    tag: 'done',
    words: 'A test email was accepted by 127.0.0.1.',
  })
  expect(await home()).toBe(503)
  await desk.conditions.openPage.mutate()
  expect(await home()).toBe(200)
  expect((await ready()).isHeldBack).toBe(false)
  expect((await desk.you.show.query()).audit[0]).toMatchObject({ action: 'Opened the page' })
})

test('a script that is published after the page was opened closes nothing', async () => {
  const { desk, ready, typeAll, putScript, publish, setUpMailAndAddress, home } = await newDesk()
  await typeAll(named)
  await publish()
  await setUpMailAndAddress()
  await desk.conditions.openPage.mutate()
  await typeAll({ [ownRule[0]]: ownRule[1] })
  await putScript()
  await publish()
  expect(await home()).toBe(200)
  expect((await ready()).blocking).toEqual([])
})
