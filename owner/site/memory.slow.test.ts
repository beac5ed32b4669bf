import { expect, test } from 'vitest'
import { takeProductDesk } from '#rigs/owner/product-desk.ts'
import { newInstallation, type Product, startProduct } from '#rigs/product.ts'
import { nestedForms } from '#rigs/server/hostile-files.ts'

test('a server of 512 MB survives a hostile file and fifty looks at the guide', async () => {
  await using product = await startProduct(await newInstallation())
  const { desk, send } = await takeProductDesk(product)
  using memory = watchMemory(product)
  const { revision } = await desk.page.show.query()
  const query = new URLSearchParams({
    kind: 'guide',
    name: 'guide.pdf',
    revision: String(revision),
  })
  const headers = { 'content-type': 'application/octet-stream' }
  const file = { method: 'POST', headers, body: new Uint8Array(nestedForms) }
  expect((await send(`/desk/api/page-file?${query}`, file)).status).toBe(409)
  for (let look = 1; look <= 50; look += 1) {
    const texts = { 'brand.name': `Bot ${look}` }
    const { html } = await desk.page.preview.query({ what: 'guide', page: look % 8, texts })
    expect(html).toContain('data:image/png')
  }
  expect((await fetch(product.url)).status).toBe(200)
  expect(memory.peakMb()).toBeLessThan(512)
}, 900_000)

function watchMemory(product: Product) {
  let peakMb = 0
  const watch = setInterval(() => (peakMb = Math.max(peakMb, product.residentMb())), 100)
  return { peakMb: () => peakMb, [Symbol.dispose]: () => clearInterval(watch) }
}
