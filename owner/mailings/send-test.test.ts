import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { programmableMailer, relayAway } from '#rigs/mail/programmable-mailer.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { sendTest } from './send-test.ts'

const template = { subject: 'News', html: '<a href="{kitUrl}">', text: '{kitUrl} {unsubscribeUrl}' }
const config = {
  mailFrom: 'bot@bot.example',
  supportEmail: 'help@bot.example',
  senderDomain: 'bot.example',
  publicUrl: 'https://bot.example',
}

test('a test has the links of the person with its address, or leads home', async () => {
  const { database, mailer, send } = await open()
  expect(await send('ada@example.com')).toBe(false)
  expect(mailer.attempts[0]).toMatchObject({
    address: 'ada@example.com',
    message: {
      subject: '[Test] News',
      html: '<a href="https://bot.example">',
      text: 'https://bot.example https://bot.example',
    },
  })
  await queueMails(database, ['ada@example.com'], { now: 1 })
  expect(await send('Ada@example.com')).toBe(true)
  const [ada] = await database.rows<{ token: string }>(sql`select token from subscribers`)
  const kit = `https://bot.example/kit/${ada!.token}`
  expect(mailer.attempts[1]).toMatchObject({
    message: { html: `<a href="${kit}">`, text: `${kit} ${kit}/unsubscribe` },
  })
  const [noted] = await readAudit(database)
  expect(noted).toMatchObject({ action: 'Sent a test of a letter', about: '' })
})

test('a test that is not taken says why, and is not in the audit', async () => {
  const { database, mailer, send } = await open()
  mailer.answer(() => relayAway)
  await expect(send('ada@example.com')).rejects.toThrow('The mail server cannot be reached.')
  expect(await readAudit(database)).toEqual([])
})

async function open() {
  const { database } = await temporaryDatabase(ownerMigrations)
  const mailer = programmableMailer()
  const deps = { database, mailer, config, now: () => 1 }
  return { database, mailer, send: (address: string) => sendTest(deps, template, address) }
}
