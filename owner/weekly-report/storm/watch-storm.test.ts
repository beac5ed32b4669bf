import { expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { ownerMailText } from '#content/owner-mail.ts'
import { accepted, temporary } from '#rigs/mail/programmable-mailer.ts'
import { openOwnerTerminal } from '#rigs/owner/owner-terminal.ts'
import { makeOwnerMail } from '#rigs/owner/test-owner-mail.ts'
import { testApp } from '#rigs/server/test-app.ts'
import { readStorm, writeStorm } from '#server/sign-up/storm.ts'
import { watchOnce } from './watch-storm.ts'

const subjectOf = (level: 'calm' | 'watch' | 'storm') =>
  `${brand.name}, ${ownerMailText.storm.changes[level].subject}`

test('a storm is detected within a minute, reported once with its figures, and ends when sign-ups are as usual', async () => {
  const site = await watchedSite()
  await site.minutes(1)
  await site.signUpsInAMinute(400)
  expect((await readStorm(site.database.query)).judged).toBe('storm')
  expect(site.subjects()).toEqual([subjectOf('storm')])
  expect(site.texts()[0]).toContain(ownerMailText.storm.seen.signUps('400', '100'))
  await site.minutes(9)
  expect(site.subjects()).toHaveLength(1)
  await site.minutes(21)
  expect(site.subjects()).toEqual([subjectOf('storm'), subjectOf('watch'), subjectOf('calm')])
  expect((await readStorm(site.database.query)).judged).toBe('calm')
})

test('what is usual follows the days before', async () => {
  const site = await watchedSite()
  await site.countSignUps('2026-01-05', Array<number>(28).fill(14_400))
  await site.minutes(1)
  await site.signUpsInAMinute(400)
  expect((await readStorm(site.database.query)).judged).toBe('calm')
})

test('sign-ups at domains that nobody had before are a sign', async () => {
  const site = await watchedSite()
  for (let index = 0; index < 30; index += 1) await site.signUp(`${index}@example.com`)
  await site.minutes(1)
  for (let index = 0; index < 30; index += 1) await site.signUp(`a@${index}.net`)
  await site.signUpsInAMinute(30)
  expect((await readStorm(site.database.query)).judged).toBe('watch')
})

test('of several instances one assesses a minute, and one mails the owner', async () => {
  const site = await watchedSite()
  const other = await site.instance()
  await site.minutes(1)
  await site.signUpsInAMinute(400)
  await Promise.all([watchOnce(other.deps, other.deps), watchOnce(site.deps, site.deps)])
  expect(site.subjects()).toHaveLength(1)
})

test('a mail about a change that cannot go out is tried again', async () => {
  const site = await watchedSite()
  site.mailer.answer(() => temporary)
  await site.minutes(1)
  await site.signUpsInAMinute(400)
  site.mailer.answer(() => accepted)
  await site.minutes(2)
  expect(site.subjects()).toEqual([subjectOf('storm'), subjectOf('storm')])
})

test("the owner's mode overrides every assessment, and no mail is sent about an overridden change", async () => {
  const site = await watchedSite()
  await writeStorm(site.database.query, { mode: 'off' })
  await site.minutes(1)
  await site.signUpsInAMinute(400)
  expect(site.subjects()).toEqual([])
  expect(await readStorm(site.database.query)).toEqual({ mode: 'off', judged: 'storm' })
})

test('the commands say and keep what the owner decides', async () => {
  const { database, owner } = await openOwnerTerminal()
  expect((await owner('storm', 'status')).printed).toBe('The server decides. It judges now: calm.\n')
  expect((await owner('storm', 'on')).printed).toMatch(/^A storm, by your word\. .*"storm auto"\.\n$/)
  expect(await readStorm(database.query)).toEqual({ mode: 'on', judged: 'calm' })
  expect(JSON.parse((await owner('storm', 'off', '--json')).printed)).toEqual({
    mode: 'off',
    judged: 'calm',
    level: 'calm',
  })
  expect((await owner('storm', 'auto')).code).toBe(0)
  expect((await owner('storm', 'loud')).code).toBe(2)
})

test('a running server follows the owner at once', async () => {
  const app = await testApp({ config: { resendAfterSeconds: 0 } })
  const again = async () => (await (await app.signUp('ada+2@example.com')).json()).nextResendAt
  await app.signUp('ada+1@example.com')
  await writeStorm(app.database.query, { mode: 'on' })
  app.clock.advance(1_000)
  const dayMs = 24 * 60 * 60_000
  expect(Date.parse(await again())).toBeGreaterThan(app.clock.now() + dayMs - 60_000)
})

/** 60 minutes into a day, without a history. */
async function watchedSite() {
  const site = await makeOwnerMail()
  let time = Date.parse('2026-01-06T01:00:00Z')
  async function minutes(count: number) {
    for (let minute = 0; minute < count; minute += 1) {
      time += 60_000
      site.at(new Date(time).toISOString())
      await watchOnce(site.deps, site.deps)
    }
  }
  return {
    ...site,
    minutes,
    async signUpsInAMinute(count: number) {
      await site.count('2026-01-06', 'signed-up', count, 'hero')
      await minutes(1)
    },
  }
}
