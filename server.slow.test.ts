import { spawnSync } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { newInstallation, type Product, startProduct } from '#rigs/product.ts'

test('a stop does not wait for a read of the desk that never ends', async () => {
  const environment = { OWNER_EMAIL: 'owner@example.com' }
  const preload = [new URL('lab/rigs/server/short-timers.ts', import.meta.url)]
  const product = await startProduct(await newInstallation(), { environment, preload })
  const cookie = await signInByLink(product, environment)
  const file = new DatabaseSync(product.databaseFile)
  file.exec(`
    drop table desk_audit;
    create view desk_audit as
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers)
      select n as id, n as at, '' as act, '' as about from numbers where n < 0`)
  file.close()
  const reading = fetch(`${product.url}/desk/api/you.show`, { headers: { cookie } })
  const isCut = expect(reading).rejects.toThrow()
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200) // sent after it
  await product.terminate()
  await isCut
})

/** Returns the cookie. */
async function signInByLink(
  { url, port, databaseFile }: Product,
  environment: Record<string, string>,
): Promise<string> {
  const { stdout } = spawnSync(process.execPath, ['server.ts', 'owner', 'desk-link'], {
    cwd: import.meta.dirname,
    env: { ...environment, PORT: String(port), DATABASE_URL: `file:${databaseFile}` },
    encoding: 'utf8',
  })
  const [, secret] = stdout.trim().split('#')
  const answer = await fetch(`${url}/desk/api/signIn.byLink`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(secret),
  })
  return answer.headers.getSetCookie()[0]!.split(';')[0]!
}
