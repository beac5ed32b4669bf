import { expect, onTestFinished, test, vi } from 'vitest'
import { brand } from '#content/brand.ts'
import { ownerMailText } from '#content/owner-mail.ts'
import { accepted, temporary } from '#rigs/mail/programmable-mailer.ts'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'
import { ownerEmail } from '#rigs/owner/test-owner-mail.ts'

const minuteMs = 60_000

test('without OWNER_EMAIL no mail is sent to the owner', async () => {
  const app = await testApp()
  await app.signUp('ada@example.com')
  await expect.poll(() => app.mailer.addresses()).toEqual(['ada@example.com'])
  const kept = await app.database.query.selectFrom('settings').select('name').execute()
  expect(kept.map(({ name }) => name)).not.toContain('weekly-report')
})

test('with OWNER_EMAIL a start sends what is due, and the server keeps checking', async () => {
  const app = await startWithOwner()
  await expect.poll(() => subjects(app)).toHaveLength(1)
  app.clock.advance(7 * 24 * 60 * minuteMs)
  vi.advanceTimersByTime(15 * minuteMs)
  await expect.poll(() => subjects(app)).toHaveLength(2)
  expect(new Set(subjects(app)).size).toBe(2)
})

test('a mail to the owner ends with the address of the desk, where a phone can do what it advises', async () => {
  const app = await startWithOwner()
  await expect.poll(() => subjects(app)).toHaveLength(1)
  const [report] = app.mailer.attempts
  expect(report?.message.text).toMatch(/\n\nYour desk: https?:\/\/\S+\/desk\n$/)
})

test('stuck mail is reported without waiting for the next check', async () => {
  const app = await startWithOwner()
  app.mailer.answer((address) => (address === ownerEmail ? accepted : temporary))
  await app.signUp('ada@example.com')
  await expect.poll(() => app.mailer.addresses()).toContain('ada@example.com')
  app.clock.advance(6 * minuteMs)
  vi.advanceTimersByTime(minuteMs / 2)
  const alarm = ownerMailText.alarm.subject(ownerMailText.alarm.stuck.isSo)
  await expect.poll(() => subjects(app)).toContain(`${brand.name}, ${alarm}`)
})

/** Checks when the test says so. */
async function startWithOwner(): Promise<TestApp> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  return testApp({ config: { ownerEmail } })
}

function subjects({ mailer }: TestApp) {
  const toOwner = mailer.attempts.filter(({ address }) => address === ownerEmail)
  return toOwner.map(({ message }) => message.subject)
}
