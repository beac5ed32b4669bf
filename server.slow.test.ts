import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { takeProductDesk } from '#rigs/owner/product-desk.ts'
import { newInstallation, startProduct } from '#rigs/product.ts'

test('a stop does not wait for a read of the desk that never ends', async () => {
  const preload = [new URL('lab/rigs/server/short-timers.ts', import.meta.url)]
  const product = await startProduct(await newInstallation(), { preload })
  const { send } = await takeProductDesk(product)
  const file = new DatabaseSync(product.databaseFile)
  file.exec(`
    drop table desk_audit;
    create view desk_audit as
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers)
      select n as id, n as at, '' as act, '' as about from numbers where n < 0`)
  file.close()
  const reading = send('/desk/api/you.show')
  const isCut = expect(reading).rejects.toThrow()
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200) // sent after it
  await product.terminate()
  await isCut
})
