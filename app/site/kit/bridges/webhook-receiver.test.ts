import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, untilListening } from '#rigs/listening.ts'
import { sampleRun } from '#site/chart/sample-run.ts'
import { alertExamples } from '../page-figures.ts'
import { bridges } from './bridges.ts'

// The recipe that the personal page links, run against a sender that behaves as TradingView
// documents.
const recipe = join(import.meta.dirname, 'webhook-receiver.mjs')
const secret = 'kW3x_9pQ-7rTzB2mNc5vLd'
const address = `https://bot.example/hook/${secret}`
const { entry, exit } = alertExamples(sampleRun)

/**
 * Posts an alert's message as https://www.tradingview.com/support/solutions/43000529348/ describes
 * (read 2026-11-22).
 */
async function postAsTradingView(
  url: string,
  message: string,
  { passTo, from = '52.89.214.238' }: { passTo: number; from?: string | undefined },
): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${passTo}${new URL(url).pathname}`, {
    method: 'POST',
    body: message,
    headers: {
      'content-type': message.startsWith('{') ? 'application/json' : 'text/plain',
      'x-forwarded-for': from,
    },
    signal: AbortSignal.timeout(30_000),
  })
  return answer.status
}

test('its code has as many lines as the personal page says', () => {
  const lines = readFileSync(recipe, 'utf8')
    .split('\n')
    .map((line) => line.trim())
  const code = lines.filter((line) => line !== '' && !line.startsWith('//'))
  const ownServer = bridges.find(({ recipe: file }) => file?.href === '/webhook-receiver.mjs')
  expect(ownServer?.recipe?.title).toContain(` ${code.length} lines`)
})

interface Recipe {
  createReceiver(options: {
    secret: string
    hops: number
    placeOrder: (message: unknown) => unknown
    now: () => number
  }): Server
}

async function startRecipe({
  hops = 1,
  placeOrder = () => {},
}: { hops?: number; placeOrder?: () => unknown } = {}) {
  const { createReceiver }: Recipe = await import(recipe)
  const orders: unknown[] = []
  const clock = { now: 0 }
  const take = (message: unknown) => {
    orders.push(message)
    return placeOrder()
  }
  const server = createReceiver({ secret, hops, placeOrder: take, now: () => clock.now }).listen(
    0,
    '127.0.0.1',
  )
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port: passTo } = server.address() as AddressInfo // a string only for a pipe
  return { orders, clock, passTo }
}

test('every message of the script makes one order, and a repeat makes none', async () => {
  const { orders, clock, passTo } = await startRecipe()
  for (const { json } of [entry, entry, exit, exit]) {
    expect(await postAsTradingView(address, json, { passTo })).toBe(200)
  }
  expect(orders).toEqual([JSON.parse(entry.json), JSON.parse(exit.json)])
  clock.now += 30_001 // two bars of 15 s later
  await postAsTradingView(address, entry.json, { passTo })
  expect(orders).toHaveLength(3)
})

test('the answer does not wait for the order, so that it comes before TradingView hangs up', async () => {
  const { orders, passTo } = await startRecipe({ placeOrder: () => new Promise(() => {}) })
  expect(await postAsTradingView(address, entry.json, { passTo })).toBe(200)
  expect(orders).toHaveLength(1)
})

test('a wrong secret, another sender, a text and an order of neither kind are refused', async () => {
  const { orders, passTo } = await startRecipe()
  const status = (url: string, message: string, from?: string) =>
    postAsTradingView(url, message, { passTo, from })
  expect(await status(`${address}x`, entry.json)).toBe(404)
  expect(await status(address.slice(0, -1), entry.json)).toBe(404)
  expect(await status(address, entry.json, '203.0.113.7')).toBe(403)
  // Entries that the client wrote before the proxy's own one are ignored.
  expect(await status(address, entry.json, '52.89.214.238, 203.0.113.7')).toBe(403)
  expect(await status(address, 'SAMPLE buy at 107.11, then long')).toBe(400)
  expect(await status(address, '{ "ticker": "SAMPLE", "action": "hold" }')).toBe(400)
  expect(await status(address, `{ "ticker": "${'S'.repeat(10_000)}" }`)).toBe(413)
  expect(orders).toEqual([])
})

test('without a proxy the address of the connection counts, whatever the headers say', async () => {
  const { passTo } = await startRecipe({ hops: 0 })
  expect(await postAsTradingView(address, entry.json, { passTo })).toBe(403)
})

test('it runs as its first lines say, and refuses a short secret', async () => {
  const port = await freePort()
  const run = (SECRET: string) =>
    spawn(process.execPath, [recipe], { env: { SECRET, PORT: String(port), HOPS: '1' } })
  const refused = run('short')
  expect(await text(refused.stderr)).toContain('22 random characters')
  const child = run(secret)
  onTestFinished(() => void child.kill())
  await untilListening(port, child)
  expect(await postAsTradingView(address, entry.json, { passTo: port })).toBe(200)
  const [printed] = await once(child.stdout, 'data')
  expect(String(printed)).toContain("action: 'buy'")
})
