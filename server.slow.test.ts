import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
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
  await product.stop()
  await isCut
})

test.skipIf(!existsSync('/dev/full'))('a server whose log is on a full disk goes on', async () => {
  await using product = await startProduct({ ...(await newInstallation()), logFile: '/dev/full' })
  onTestFinished(() => rmSync(product.folder, { recursive: true }))
  const read = async (path: string) => (await fetch(product.url + path)).text()
  for (const address of ['ana@example.com', 'bob@example.com']) {
    const body = new URLSearchParams({ email: address })
    expect((await fetch(product.url + signUpPath, { method: 'POST', body })).status).toBe(200)
    await expect.poll(() => read('/dev/inbox')).toContain(address)
  }
  expect(await read('/healthz')).toBe('ok\n')
})
