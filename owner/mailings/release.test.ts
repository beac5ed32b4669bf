import sql, { type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import type { Reader } from '#server/database/database.ts'
import { changeAnnouncement, startAnnouncement } from './announce.ts'
import { releaseMail } from './release.ts'

const order = {
  name: '1.1.0',
  kind: 'version',
  to: 'consented',
  template: shortTemplate,
} as const

test('instances that release at the same moment keep to the hour together, and mail nobody twice', async () => {
  const list = await makeMailingList({ LIMIT_SITE_MAILS_PER_HOUR: 'off' })
  const names = Array.from({ length: 250 }, (_, index) => `n${index}@example.com`)
  await list.signUp(names, { asked: 'versions' })
  await startAnnouncement(list.database, { ...order, isStartedNow: true }, list.now())
  await Promise.all([1, 2, 3].map(() => releaseMail(list.context)))
  expect(await list.deliver()).toBe(100)
  expect(new Set(list.mailer.addresses()).size).toBe(100)
})

test('a mail that is sent while the figures of an ended announcement are counted is in them', async () => {
  const list = await makeMailingList({ LIMIT_SITE_MAILS_PER_HOUR: 'off' })
  const { context, database, now } = list
  const change = (query: Sql) => database.transaction((transaction) => transaction.run(query))
  await list.signUp(['ada@example.com', 'ben@example.com'], { asked: 'versions' })
  await startAnnouncement(database, { ...order, isStartedNow: true }, now())
  await releaseMail(context)
  await change(sql`update deliveries set state = 'sending', worker = 'w' where id = 1`)
  await changeAnnouncement(database, order.name, 'cancel', now())

  const ownerReads: Reader = {
    row: (query) => database.ownerReads.row(query),
    async rows<Row>(query: Sql) {
      const rows = await database.ownerReads.rows<Row>(query)
      if (query.sql.includes('group by state')) {
        await change(sql`update deliveries set state = 'sent', finished_at = 1 where id = 1`)
      }
      return rows
    },
  }
  await releaseMail({ ...context, database: { ...database, ownerReads } })
  await releaseMail(context)
  expect(await database.row(sql`select sent, cancelled from announcements`)).toEqual({
    sent: 1,
    cancelled: 1,
  })
})
