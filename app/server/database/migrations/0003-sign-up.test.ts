import * as fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { parseEmailAddress } from '#contract/email-address.ts'
import { makeTemporaryDatabase, openForTest } from '#rigs/database/temporary-database.ts'
import { abuseKey } from '../../subscribers/abuse-key.ts'

const domains = `uni.edu gmail.com googlemail.com proton.me protonmail.com pm.me protonmail.ch
  icloud.com me.com mac.com yandex.ru ya.ru yandex.kz yandex.com.tr narod.ru
  notproton.me myandex.ru a.me.com yandex.example.com`.split(/\s+/)
const identities = fc
  .record({
    local: fc.string({
      unit: fc.constantFrom('a', 'b', '.', '_', '-', '+'),
      minLength: 1,
      maxLength: 8,
    }),
    domain: fc.constantFrom(...domains),
  })
  .map(({ local, domain }) => `${local}@${domain}`)
  .filter((identity) => parseEmailAddress(identity) !== undefined)

/** As a database of version 0.1.0 stored it; null: the identity. */
function formerAbuseKey(identity: string): string | null {
  const [local = '', domain = ''] = identity.split('@')
  const [untagged = ''] = local.split('+', 1)
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  const key = isGmail ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`
  return key === identity ? null : key
}

/** A database of version 0.1.0. */
async function formerDatabase() {
  const migrations = [{ name: '0001-first', script: 'app/server/database/migrations/0001-first' }]
  const { url, remove } = await makeTemporaryDatabase(migrations)
  onTestFinished(remove)
  return { url, former: await openForTest(url, migrations) }
}

test('brings the abuse keys of stored people up to date, so that a block holds for every spelling', async () => {
  const { url, former } = await formerDatabase()
  const stored = [...new Set(fc.sample(identities, { numRuns: 600, seed: 7 }))]
  await former.transaction(async (transaction) => {
    for (const identity of stored) {
      await transaction.run(sql`
        insert into subscribers (identity, address, abuse_key, state, signed_up_at, last_mailed_at)
        values (${identity}, ${identity}, ${formerAbuseKey(identity)}, 'blocked', 1, 1)`)
    }
  })
  const database = await openForTest(url)
  const rows = await database.rows<{ identity: string; key: string }>(
    sql`select identity, coalesce(abuse_key, identity) as key from subscribers`,
  )
  expect(rows).toHaveLength(stored.length)
  for (const { identity, key } of rows) expect(key, identity).toBe(abuseKey(identity))
})

test('says of imported people that they were never mailed, and of nobody else', async () => {
  const { url, former } = await formerDatabase()
  await former.script(`
    insert into subscribers (identity, address, state, signed_up_at, last_mailed_at) values
      ('mailed@example.com', 'mailed@example.com', 'active', 1, 1),
      ('imported@example.com', 'imported@example.com', 'active', 1, 1);
    insert into mail_templates (hash, content) values ('starter', '{}');
    insert into deliveries (subscriber, message_id, template, state, priority, due_at, queued_at)
      select id, '<1@mail.example>', 'starter', 'sent', 0, 1, 1 from subscribers
      where identity = 'mailed@example.com'`)
  const database = await openForTest(url)
  const rows = sql`select identity, last_mailed_at from subscribers order by id`
  expect(await database.rows(rows)).toEqual([
    { identity: 'mailed@example.com', last_mailed_at: 1 },
    { identity: 'imported@example.com', last_mailed_at: 0 },
  ])
})
