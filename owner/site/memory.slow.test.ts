import { expect, test } from 'vitest'
import { takeProductDesk } from '#rigs/owner/product-desk.ts'
import { newInstallation, type Product, startProduct } from '#rigs/product.ts'
import { nestedForms } from '#rigs/server/hostile-files.ts'

test('a server of 512 MB survives a hostile file, and looks at the guide until another process has to draw it', async () => {
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
  let looks = 0
  const lookAtGuide = async () => {
    looks += 1
    const texts = { 'brand.name': `Bot ${looks}` }
    const { html } = await desk.page.preview.query({ what: 'guide', page: looks % 8, texts })
    expect(html).toContain('data:image/png')
  }
  await lookAtGuide()
  const first = product.drawingProcess()
  expect(first).toBeDefined()
  while (looks < 50 && product.drawingProcess() === first) await lookAtGuide()
  await lookAtGuide()
  expect(product.drawingProcess()).not.toBe(first)
  expect((await fetch(product.url)).status).toBe(200)
  expect(memory.peakMb()).toBeLessThan(512)
})

function watchMemory(product: Product) {
  let peakMb = 0
  const watch = setInterval(() => (peakMb = Math.max(peakMb, product.residentMb())), 100)
  return { peakMb: () => peakMb, [Symbol.dispose]: () => clearInterval(watch) }
}
