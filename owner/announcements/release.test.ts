import { expect, test } from 'vitest'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { startAnnouncement } from './announce.ts'
import { releaseMail } from './release.ts'

test('instances that release at the same moment keep to the hour together, and mail nobody twice', async () => {
  const list = await makeMailingList({ LIMIT_SITE_MAILS_PER_HOUR: 'off' })
  const names = Array.from({ length: 250 }, (_, index) => `n${index}@example.com`)
  await list.signUp(names, { asked: 'versions' })
  const order = {
    name: '1.1.0',
    kind: 'version',
    to: 'consented',
    template: shortTemplate,
  } as const
  await startAnnouncement(list.database, { ...order, isStartedNow: true }, list.now())
  await Promise.all([1, 2, 3].map(() => releaseMail(list.context)))
  expect(await list.deliver()).toBe(100)
  expect(new Set(list.mailer.addresses()).size).toBe(100)
})
