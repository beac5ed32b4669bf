import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { composeMail } from '#site/mail/compose-mail.ts'
import { makeTemporaryDatabase, openForTest } from '#rigs/database/temporary-database.ts'
import { sender } from '#rigs/server/queue-mails.ts'
import { siteMigrations } from '../open-database.ts'

test('a mail that was queued with the former placeholders is filled like any other', async () => {
  const before = siteMigrations.filter(({ name }) => name < '0007')
  const { url, remove } = await makeTemporaryDatabase(before)
  onTestFinished(remove)
  const former = {
    subject: 'Your bot',
    html: '<p>{{address}}</p><a href="{{kitUrl}}#script">a</a><a href="{{unsubscribeUrl}}">b</a>',
    text: '{{scriptUrl}} {{guideUrl}} {{announcementsUrl}} {{strategy.order.price}}',
  }
  const old = await openForTest(url, before)
  await old.transaction((transaction) =>
    transaction.run(
      sql`insert into mail_templates (hash, content) values ('old', ${JSON.stringify(former)})`,
    ),
  )
  const database = await openForTest(url)
  const [row] = await database.rows<{ content: string }>(sql`select content from mail_templates`)
  const delivery = { address: 'ana@example.com', token: 'T', messageId: 'm', date: new Date(0) }
  const { html, text } = composeMail(JSON.parse(row?.content ?? ''), sender, delivery)
  const page = 'https://bot.example/kit/T'
  expect(html).toBe(
    `<p>ana@example.com</p><a href="${page}#script">a</a><a href="${page}/unsubscribe">b</a>`,
  )
  expect(text).toBe(
    `${page}/ema-crossover.pine ${page}/setup-guide.pdf ${page}/announcements {{strategy.order.price}}`,
  )
})
