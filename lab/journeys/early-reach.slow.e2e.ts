import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { complaintsOf, heroForm, startJourney } from './journey.ts'

const journey = startJourney()

test('a gesture before the end of the page has arrived starts its script once it is complete', async () => {
  const whole = await (await journey.visit('/')).locator('#app').textContent()
  const { url, sendRest } = await sendPageInTwo(journey.product.url)
  const page = await journey.open({ baseURL: url })
  const complaints = complaintsOf(page)
  const scripts = new Set<string>()
  page.on('requestfinished', (request) => {
    if (/\/assets\/(?:react|landing-page)-/.test(request.url())) scripts.add(request.url())
  })

  await page.goto('/', { waitUntil: 'commit' })
  await heroForm(page).field.waitFor()
  await expect
    .poll(async () => {
      await page.dispatchEvent('body', 'pointerdown')
      return scripts.size
    })
    .toBe(2)
  // A script that does not wait would start now.
  const imports = Array.from(scripts, (script) => `import('${script}')`)
  await page.evaluate(
    `Promise.all([${imports}]).then(() => new Promise((resolve) => setTimeout(resolve)))`,
  )
  expect(await page.locator('form[novalidate]').count()).toBe(0)

  sendRest()
  await page.locator('form[novalidate]').first().waitFor()
  expect(await page.locator('#app').textContent()).toBe(whole)
  expect(complaints).toEqual([])
})

/** The product behind a proxy that holds the page back after its first form. */
async function sendPageInTwo(product: string) {
  const rest = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const answer = await fetch(product + request.url)
    const headers = Object.fromEntries(answer.headers)
    delete headers['content-encoding'] // fetch has undone it
    delete headers['content-length']
    response.writeHead(answer.status, headers)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const cut = request.url === '/' ? bytes.indexOf('</form>') : 0
    response.write(bytes.subarray(0, cut))
    if (cut > 0) await rest.promise
    response.end(bytes.subarray(cut))
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    sendRest: rest.resolve,
  }
}
