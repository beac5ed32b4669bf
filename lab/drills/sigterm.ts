import { once } from 'node:events'
import { request as ask } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpPath } from '#contract/sign-up.ts'
import type { Product } from '#rigs/product.ts'
import { faultsOf, settle } from './rig/account.ts'
import type { Form, Outcome } from './rig/drill.ts'
import { type Load, newAddress, signUpHeaders, startLoad } from './rig/load.ts'
import { readDeliveries } from './rig/records.ts'
import { onStage } from './rig/stage.ts'

const rounds = { short: 1, long: 5 }
const halfSent = 20
const exitsWithinMs = 10_000

/** SIGTERM under load, with requests half sent and mails on their way. */
export function stopUnderLoad(form: Form): Promise<Outcome> {
  return onStage(async (stage) => {
    const { place, mailbox, start } = stage
    // Each stop then finds mails in flight.
    mailbox.behave({ does: 'accept', afterMs: 100 })
    const load = startLoad(place.url, { connections: 16, perSecond: 100 })
    const broken: string[] = []
    const exitsMs: number[] = []
    for (let round = 0; round < rounds[form]; round += 1) {
      const product = await start()
      await sleep(700)
      exitsMs.push(await stopInTheMiddle(product, load, broken))
    }
    await load.stop()
    mailbox.behave({ does: 'accept' })
    const { acknowledged } = load
    const settled = await settle(stage, [await start()], { acknowledged, deliveredWithinMs: 90_000 })
    return {
      counts: settled.counts,
      broken: [...broken, ...settled.broken],
      notes: [
        `${rounds[form]} stops with ${halfSent} requests in flight each; ended after ${exitsMs.map((ms) => (ms / 1000).toFixed(2)).join(', ')} s`,
      ],
    }
  })
}

/** Time until it ended, in ms. */
async function stopInTheMiddle(product: Product, load: Load, broken: string[]): Promise<number> {
  const half = await Promise.all(Array.from({ length: halfSent }, () => startHalfSignUp(product.port)))
  const exit = product.terminate()
  await sleep(200)
  const statuses = await Promise.all(half.map((one) => one.finish()))
  half.forEach(({ address }, index) => statuses[index] === 200 && load.acknowledged.add(address))
  const { code, ms } = await exit
  const deliveries = await readDeliveries(product.databaseFile)
  const left = deliveries.filter(({ state }) => state === 'sending').length
  const unanswered = statuses.filter((status) => status !== 200).length
  broken.push(
    ...faultsOf(left, 'mails were left to their leases'),
    ...faultsOf(unanswered, `of ${halfSent} requests in flight got no 200`),
  )
  if (code !== 0) broken.push(`it ended with ${code}`)
  if (ms > exitsWithinMs) broken.push(`it took ${(ms / 1000).toFixed(1)} s to end`)
  return ms
}

interface HalfSignUp {
  address: string
  /** Sends the rest. Resolves to the status of the answer, or to undefined if the connection broke without one. */
  finish(): Promise<number | undefined>
}

/** A sign-up whose headers the product has read, since it answered 100 Continue (RFC 9110 10.1.1). */
async function startHalfSignUp(port: number): Promise<HalfSignUp> {
  const address = newAddress()
  const body = JSON.stringify({ email: address })
  const headers = { ...signUpHeaders, 'content-length': Buffer.byteLength(body), expect: '100-continue' }
  const request = ask({ host: '127.0.0.1', port, path: signUpPath, method: 'POST', headers, agent: false })
  request.on('error', () => {}) // `once` tells of it
  const status = once(request, 'response').then(
    ([response]) => Number(response.resume().statusCode),
    () => undefined, // the connection broke
  )
  request.flushHeaders()
  await once(request, 'continue')
  request.write(body.slice(0, 8))
  return {
    address,
    finish() {
      request.end(body.slice(8))
      return status
    },
  }
}
