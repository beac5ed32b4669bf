import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import { sharedPostgresServer } from '#rigs/database/postgres-server.ts'
import type { Product } from '#rigs/product.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { reasonToSkip } from './installed.ts'
import { settings, startBehindProxy, startOpenProduct } from './open-product.ts'
import { type ShippedProxy, startShippedProxy } from './shipped-proxy.ts'

const lacks = reasonToSkip(['nginx'])
const visitorsAtOnce = 8
const visitsBetween = 100
/** Together they sign up about a hundred times a second, and leave a core to the restarts. */
const pauseMs = 50

test('an update of two instances behind nginx, one after the other, fails no sign-up and queues none twice', async ({
  skip,
}) => {
  skip(lacks !== '', lacks)
  const postgres = await sharedPostgresServer()
  skip(!postgres, 'no PostgreSQL on this machine')
  onTestFinished(() => postgres?.destroy())
  const environment = {
    NODE_ENV: 'production',
    DATABASE_URL: (await postgres?.newDatabase()) ?? '',
    LIMIT_ADDRESS_PER_DAY: 'off',
  }
  const first = await startOpenProduct(environment)
  const second = await startOpenProduct(environment)
  const proxy = await startShippedProxy('nginx', first.port, second.port)
  onTestFinished(() => proxy.stop())
  const visitors = keepSigningUp(proxy)
  await visitors.come()
  for (const product of [first, second]) {
    await update(product, environment)
    await visitors.come() // to both again
  }
  const statuses = await visitors.stop()
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(await countRows(environment.DATABASE_URL)).toEqual({
    subscribers: statuses.length,
    deliveries: statuses.length,
  })
})

async function countRows(databaseUrl: string): Promise<unknown> {
  const database = await openDatabase(databaseUrl)
  const counts = await database.row(sql`
    select (select count(*) from subscribers) as subscribers,
      (select count(*) from deliveries) as deliveries`)
  await database.close()
  return counts
}

/** Does what docs/operations/running.md says: restarts, and waits for `/readyz`. */
async function update(product: Product, environment: Record<string, string>): Promise<void> {
  await product.terminate()
  const next = await startBehindProxy(product, environment)
  onTestFinished(() => next.stop())
  while (!(await fetch(`${next.url}/readyz`)).ok) await sleep(50)
}

function keepSigningUp(proxy: ShippedProxy) {
  const statuses: (number | string)[] = []
  let isOver = false
  let people = 0
  async function visit() {
    while (!isOver) {
      const body = new URLSearchParams({ email: `visitor-${(people += 1)}@example.com` })
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        origin: settings.PUBLIC_URL,
      }
      const answer = proxy.send(signUpPath, { method: 'POST', headers }, body.toString())
      statuses.push(await answer.then(({ status }) => status, String))
      await sleep(pauseMs)
    }
  }
  const visits = Array.from({ length: visitorsAtOnce }, visit)
  return {
    /** Resolves after that many more visits. */
    async come() {
      const before = statuses.length
      await expect.poll(() => statuses.length).toBeGreaterThan(before + visitsBetween)
    },
    async stop() {
      isOver = true
      await Promise.all(visits)
      return statuses
    },
  }
}
