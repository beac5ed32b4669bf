import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startDesk } from '#owner/desk/desk.ts'
import { startReleasing } from '#owner/announcements/release-mail.ts'
import { deskApp, deskBrowser, signedIn } from '#rigs/owner/test-desk.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import type { Extension } from '#server/start/extension.ts'
import { enrol } from '#server/subscribers/subscribers.ts'

const text = { version: '1.2.0', subject: 'Hello {{name}}', note: 'It is <b>here</b>.' }
const impossible = { status: 409, body: { error: { code: 'impossible' } } }

test('a release is announced to those who asked, and the figures add up', async () => {
  const { desk, app } = await deskWithRelease()
  const read = async () => (await desk.call('GET announcements', {})).body
  const audiences = async () => (await desk.call('GET announcements/audiences', {})).body
  expect(await read()).toMatchObject({
    release: { version: '1.2.0', subject: 'Version 1.2.0', changes: ['It is new.'] },
    canStart: true,
    siteMailsPerHour: 600,
    isWatched: false,
    all: [],
  })
  expect(await audiences()).toEqual({ consented: 2, everyone: 3 })
  await desk.call('POST announcements/start', { ...text, to: 'consented' })
  const underWay = { version: '1.2.0', to: 'consented', state: 'running', audience: 2 }
  expect(await read()).toMatchObject({ canStart: false, isWatched: true, all: [underWay] })
  await expect.poll(() => mailed(app)).toEqual(['a@example.com', 'b@example.com'])
  await vi.waitFor(
    async () => {
      const { all } = await read()
      expect(all[0]).toMatchObject({
        state: 'done',
        sent: 2,
        waiting: 0,
        failed: 0,
        leftSince: 0,
        audience: 2,
        reasons: [],
      })
      expect(all[0]!.byHour).toMatchObject([{ sent: 2, allowed: 100 }])
      expect(all[0]!.returned.at(-1)).toMatchObject({ returned: 0, of: 2 })
    },
    { timeout: 30_000 },
  )
  expect(await read()).toMatchObject({ canStart: true, isWatched: true })
  expect(await audiences()).toEqual({ consented: 0, everyone: 1 })
  expect(app.mailer.attempts.at(-1)?.message.subject).toBe('Hello {{name}}')
  const { body: list } = await desk.call('GET mail/list', { state: 'sent' })
  expect(list.mails.map(({ kind }) => kind)).toEqual(['1.2.0', '1.2.0'])
})

test('an announcement is paused, resumed and cancelled, by its version', async () => {
  const { desk } = await deskWithRelease()
  const act = async (name: 'pause' | 'resume' | 'cancel') => {
    expect((await desk.call(`POST announcements/${name}`, { version: '1.2.0' })).status).toBe(200)
    return (await desk.call('GET announcements', {})).body.all[0]
  }
  expect(await desk.call('POST announcements/pause', { version: '1.2.0' })).toMatchObject(impossible)
  await desk.call('POST announcements/start', { ...text, to: 'everyone', perHour: 1 })
  expect(await act('pause')).toMatchObject({ state: 'paused', endsAt: null })
  expect(await act('resume')).toMatchObject({ state: 'running', endsAt: expect.any(Number) })
  expect((await desk.call('GET today', { days: 7 })).body.announcement).toMatchObject({ version: '1.2.0' })
  expect(await act('cancel')).toMatchObject({ state: 'cancelled' })
  expect(await desk.call('POST announcements/start', { ...text, to: 'everyone' })).toMatchObject(impossible)
})

test('starting an announcement needs a fresh proof and the version of the kit', async () => {
  const { desk, app } = await deskWithRelease()
  const other = { ...text, version: '9.9.9', to: 'everyone' as const }
  expect(await desk.call('POST announcements/start', other)).toMatchObject(impossible)
  app.clock.advance(15 * 60_000)
  expect((await desk.call('POST announcements/start', { ...text, to: 'everyone' })).status).toBe(403)
  expect((await deskBrowser(app).call('GET announcements', {})).status).toBe(401)
})

test('the preview of an announcement is the mail with the words of the owner, as HTML that no browser shows or runs', async () => {
  const { desk } = await deskWithRelease()
  const { body } = await desk.call('POST announcements/preview', text)
  expect(body).toMatchObject({
    subject: 'Hello {{name}}',
    text: expect.stringContaining('It is <b>here</b>.'),
  })
  const page = await desk.call('POST announcements/preview-page', text)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(String(page.body)).toMatch(/^<template>@media .*<\/template>/)
  expect(String(page.body)).toContain(
    '<p data-style="font-family:&quot;Besley&quot;, serif">It is &lt;b&gt;here&lt;/b&gt;.',
  )
})

test('a test mail of an announcement goes to the owner alone', async () => {
  const { desk, app } = await deskWithRelease()
  expect((await desk.call('POST announcements/test', text)).status).toBe(200)
  expect(app.mailer.attempts.at(-1)).toMatchObject({ address: 'owner@example.org' })
  expect(mailed(app)).toEqual([])
})

function mailed({ mailer }: Awaited<ReturnType<typeof deskApp>>): string[] {
  return mailer
    .addresses()
    .filter((address) => address.endsWith('@example.com'))
    .toSorted()
}

/** Two people who asked for news, and one who did not. */
async function deskWithRelease() {
  const folder = temporaryFolder()
  for (const name of ['kit', 'email']) mkdirSync(join(folder, 'dist', name), { recursive: true })
  const release = { version: '1.2.0', date: '2199-01-01', changes: ['It is new.'] }
  const html = `<style>@media (prefers-color-scheme: dark) { p { color: #fff } }</style>
    <p style="font-family:&quot;Besley&quot;, serif">{{note}} {{reason}}</p>`
  const mail = { version: '1.2.0', subject: 'Version 1.2.0', html, text: '{{note}}\n\n{{reason}}' }
  writeFileSync(join(folder, 'dist/kit/releases.json'), JSON.stringify([release]))
  writeFileSync(join(folder, 'dist/email/announcement.json'), JSON.stringify(mail))
  const ownerEmail = 'owner@example.org'
  const extensions = [
    (context) => startDesk({ ...context, ownerEmail, folder }),
    startReleasing,
  ] satisfies Extension[]
  const app = await deskApp({ parts: { extensions } })
  const people = ['a', 'b', 'c'].map((name) => `${name}@example.com`)
  const newcomers = people.map((identity) => ({ identity, address: identity, abuse_key: null }))
  await enrol(app.database.query, newcomers, app.clock.now())
  await app.database.query
    .updateTable('subscribers')
    .set({ announcements_agreed_at: 1 })
    .where('identity', '<', 'c')
    .execute()
  return { app, desk: await signedIn(app) }
}
