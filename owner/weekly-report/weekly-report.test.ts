import PostalMime from 'postal-mime'
import { expect, onTestFinished, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { ownerMailText } from '#content/owner-mail.ts'
import { accepted, permanent, temporary } from '#rigs/mail/programmable-mailer.ts'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { leaseMs, makeOwnerMail, ownerEmail } from '#rigs/owner/test-owner-mail.ts'
import type { SendOutcome } from '#server/transports/mailer.ts'
import { createSmtpMailer } from '#server/transports/smtp-mailer.ts'

const words = ownerMailText.weeklyReport
const monday = '2026-01-12T07:00:00Z'

test("the weekly report is one plain mail with last week's figures and those of the week before", async () => {
  const owner = await makeOwnerMail()
  owner.at(monday)
  await countTwoWeeks(owner)
  await owner.signUp('ada@example.com')
  await owner.signUp('ben@example.com', { queued: true })
  const mail = await arrivalOf(owner)
  expect(mail).toMatchObject({
    subject: `${brand.name}, ${words.subject('5 to 11 January 2026', '1,042')}`,
    to: [{ address: ownerEmail }],
    from: { address: 'bot@mail.example' },
  })
  expect(mail.html).toBeUndefined()
  const { signUps, mail: delivery, kit, now } = words
  for (const line of [
    `${signUps.all}: 1,042 (30)`,
    `  ${signUps.forms['closing']}: 42 (30)`,
    `  ${signUps.source('letter-9')}: 9 (0)`,
    `  ${signUps.otherSources}: 3 (1)`,
    `${signUps.repeated}: 7 (0)`,
    `${signUps.typosRescued}: 2 (0)`,
    `${signUps.limitsHit}: 4 (0)`,
    `  ${signUps.limits['site']}: 4 (0)`,
    `${delivery.delivered}: 1,040 (29)`,
    `${delivery.failed}: 1 (0)`,
    `${delivery.bounced}: 3 (1)`,
    `${delivery.unsubscribed}: 5 (0)`,
    `${kit.opened}: 600 (0)`,
    `${kit.script}: 500 (0)`,
    `${kit.guide}: 400 (0)`,
    kit.machines('2,000', '60', '50'),
    `${now.active}: 2`,
    `${now.owed}: 1`,
  ])
    expect(mail.text?.split('\n')).toContain(line)
  expect(mail.text).not.toContain('@')
})

test('the weekly report is sent once a week, on Monday from 07:00 UTC on', async () => {
  const owner = await makeOwnerMail()
  const sentAt = async (moment: string) => {
    owner.at(moment)
    await owner.check()
    return owner.mailer.attempts.splice(0).length
  }
  expect(await sentAt('2026-01-05T07:00:00Z')).toBe(1)
  expect(await sentAt('2026-01-11T23:59:00Z')).toBe(0)
  expect(await sentAt('2026-01-12T06:59:59Z')).toBe(0)
  expect(await sentAt('2026-01-12T07:00:00Z')).toBe(1)
  expect(await sentAt('2026-01-12T07:15:00Z')).toBe(0)
})

test('after weeks without a server the next start sends one report, of the last week', async () => {
  const owner = await makeOwnerMail()
  owner.at('2026-01-05T08:00:00Z')
  await owner.check()
  owner.at('2026-02-05T13:00:00Z')
  await owner.check()
  await owner.check()
  expect(owner.subjects()).toEqual([
    expect.stringContaining('29 December 2025 to 4 January 2026'),
    expect.stringContaining('26 January to 1 February 2026'),
  ])
})

test('of several instances that check at the same time, one sends the weekly report', async () => {
  const owner = await makeOwnerMail()
  owner.at(monday)
  const instances = await Promise.all([1, 2, 3, 4].map(() => owner.instance()))
  await Promise.all(instances.map(({ check }) => check()))
  expect(owner.mailer.attempts).toHaveLength(1)
  owner.at('2026-01-19T07:00:00Z')
  await Promise.all(instances.map(({ check }) => check()))
  expect(owner.mailer.attempts).toHaveLength(2)
})

test('when the lease of a dead instance ends, another sends the report with the same Message-ID', async () => {
  const owner = await makeOwnerMail()
  owner.at(monday)
  owner.mailer.answer(() => new Promise<SendOutcome>(() => {}))
  void owner.check()
  await expect.poll(() => owner.mailer.attempts).toHaveLength(1)
  owner.mailer.answer(() => accepted)
  const { check } = await owner.instance()
  owner.at(new Date(owner.now() + leaseMs - 1).toISOString())
  await check()
  expect(owner.mailer.attempts).toHaveLength(1)
  owner.at(new Date(owner.now() + 1).toISOString())
  await check()
  const [first, second] = owner.mailer.attempts.map(({ message }) => message.messageId)
  expect(second).toBe(first)
  await check()
  expect(owner.mailer.attempts).toHaveLength(2)
})

test('a temporary failure is tried at the next check; a refusal ends the week and is logged', async () => {
  const owner = await makeOwnerMail()
  owner.at(monday)
  owner.mailer.answer(() => temporary)
  await owner.check()
  await owner.check()
  owner.mailer.answer(() => permanent)
  await owner.check()
  await owner.check()
  expect(owner.mailer.attempts).toHaveLength(3)
  owner.at('2026-01-19T07:00:00Z')
  await owner.check()
  expect(owner.mailer.attempts).toHaveLength(4)
  const lines = (await owner.log()).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).event)).toEqual([
    'mail to the owner not sent, trying again later',
    'mail to the owner not sent, trying again later',
    'mail to the owner refused, given up',
    'mail to the owner refused, given up',
  ])
  expect(lines.join('\n')).not.toContain('@')
})

type Owner = Awaited<ReturnType<typeof makeOwnerMail>>

async function arrivalOf(owner: Owner) {
  const inbox = await startSmtpInbox()
  onTestFinished(() => inbox.close())
  const mailer = createSmtpMailer({
    url: inbox.url,
    concurrency: 1,
    timeoutMs: 30_000,
    finalReplyTimeoutMs: 30_000,
  })
  onTestFinished(mailer.close)
  const { check } = await owner.instance(mailer)
  await check()
  const [mail] = await inbox.arrival(1, ownerEmail)
  return PostalMime.parse(mail!.raw)
}

async function countTwoWeeks({ count }: Owner) {
  await count('2025-12-29', 'signed-up', 30, 'closing')
  await count('2026-01-04', 'came-from', 1, 'other')
  await count('2026-01-04', 'delivered', 29)
  await count('2026-01-04', 'bounced', 1)
  await count('2026-01-05', 'signed-up', 1_000, 'hero')
  await count('2026-01-11', 'signed-up', 42, 'closing')
  await count('2026-01-05', 'came-from', 1_000, 'none')
  for (const number of [2, 3, 4, 5, 6, 7, 8, 9])
    await count('2026-01-06', 'came-from', number, `letter-${number}`)
  await count('2026-01-06', 'came-from', 1, 'other')
  await count('2026-01-07', 'listed-already', 7)
  await count('2026-01-07', 'typo-rescued', 2)
  await count('2026-01-07', 'limit-hit', 4, 'site')
  await count('2026-01-08', 'delivered', 1_040)
  await count('2026-01-08', 'failed', 1)
  await count('2026-01-08', 'bounced', 3)
  await count('2026-01-09', 'unsubscribed', 5)
  await count('2026-01-10', 'page-opened', 600, 'person')
  await count('2026-01-10', 'page-opened', 2_000, 'machine')
  await count('2026-01-10', 'script-downloaded', 500, 'person')
  await count('2026-01-10', 'script-downloaded', 60, 'machine')
  await count('2026-01-10', 'guide-downloaded', 400, 'person')
  await count('2026-01-10', 'guide-downloaded', 50, 'machine')
  await count('2026-01-12', 'signed-up', 9_999, 'hero')
}
