import { once } from 'node:events'
import { request as ask } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpPath } from '#contract/sign-up.ts'
import type { Product } from '#rigs/product.ts'
import { developmentKey } from '#rigs/http/load.ts'
import { newAddress } from './rig/crowd.ts'
import { readDeliveries } from './rig/records.ts'
import { type Form, onStage, seconds, type Stage } from './rig/stage.ts'

const rounds = { short: 1, long: 5 }
const halfSent = 20
/** The short form also runs on a busy machine. */
const exitsWithinMs = { short: 100_000, long: 10_000 }

/** SIGTERM under load, with requests half sent and mails on their way. */
export function stopUnderLoad(form: Form) {
  return onStage(async (stage) => {
    const { mailbox, site } = stage
    // Each stop then finds mails in flight.
    mailbox.behave({ does: 'accept', afterMs: 100 })
    const { acknowledged, stop } = stage.crowd({ connections: 16, perSecond: 100 })
    const exitsMs: number[] = []
    for (let round = 0; round < rounds[form]; round += 1) {
      const product = await site.start()
      await sleep(700)
      const ms = await stopInTheMiddle(stage, product, acknowledged)
      stage.expect(ms <= exitsWithinMs[form], `it took ${seconds(ms)} to end`)
      exitsMs.push(ms)
    }
    await stop()
    mailbox.behave({ does: 'accept' })
    await stage.settle([await site.start()])
    const ended = exitsMs.map((ms) => (ms / 1000).toFixed(2)).join(', ')
    stage.note(
      `${rounds[form]} stops with ${halfSent} requests in flight each; ended after ${ended} s`,
    )
  })
}

/** Time until it ended, in ms. */
async function stopInTheMiddle(
  stage: Stage,
  product: Product,
  acknowledged: Set<string>,
): Promise<number> {
  const half = await Promise.all(
    Array.from({ length: halfSent }, () => startHalfSignUp(product.port)),
  )
  const exit = product.terminate()
  await sleep(200)
  const statuses = await Promise.all(half.map((one) => one.finish()))
  for (const [index, { address }] of half.entries()) {
    if (statuses[index] === 200) acknowledged.add(address)
  }
  const { code, ms } = await exit
  const deliveries = await readDeliveries(product.databaseFile)
  const left = deliveries.filter(({ state }) => state === 'sending').length
  stage.expectNone(left, 'mails were left to their leases')
  stage.expectNone(
    statuses.filter((status) => status !== 200).length,
    `of ${halfSent} requests got no 200`,
  )
  stage.expect(code === 0, `it ended with ${code}`)
  return ms
}

/**
 * A sign-up whose headers the product has read, since it answered 100 Continue (RFC 9110 10.1.1).
 */
async function startHalfSignUp(port: number) {
  const address = newAddress()
  const body = JSON.stringify({ email: address })
  const headers = {
    authorization: `Bearer ${developmentKey}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  }
  const request = ask({
    host: '127.0.0.1',
    port,
    path: signUpPath,
    method: 'POST',
    headers,
    agent: false,
  })
  request.on('error', () => {}) // `once` reports it
  const status = once(request, 'response').then(
    ([response]) => Number(response.resume().statusCode),
    () => undefined, // the connection broke
  )
  request.flushHeaders()
  await once(request, 'continue')
  request.write(body.slice(0, 8))
  return {
    address,
    /**
     * Sends the rest. Resolves to the status of the answer, or to undefined if the connection broke
     * without one.
     */
    finish() {
      request.end(body.slice(8))
      return status
    },
  }
}
