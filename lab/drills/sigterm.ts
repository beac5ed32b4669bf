import { setTimeout as sleep } from 'node:timers/promises'
import { settleAccounts } from './rig/account.ts'
import type { Form, Outcome } from './rig/drill.ts'
import { inDrillFolder } from './rig/drill-folder.ts'
import { startHalfSignUp } from './rig/half-sign-up.ts'
import { type Load, startLoad } from './rig/load.ts'
import { openMailbox } from './rig/mailbox.ts'
import { findPlace, type Product, startProduct } from './rig/product.ts'
import { readDeliveries, untilNothingIsOwed } from './rig/records.ts'

const rounds = { short: 1, long: 5 }
const halfSent = 20
const exitsWithinMs = 10_000

/** SIGTERM under load, with requests half sent and mails on their way. */
export function stopUnderLoad(form: Form): Promise<Outcome> {
  return inDrillFolder(async (folder) => {
    const mailbox = await openMailbox()
    // So that each stop finds mails in flight.
    await mailbox.behave({ does: 'accept', afterMs: 100 })
    const place = await findPlace(folder)
    const options = { environment: { SMTP_URL: mailbox.url } }
    const load = startLoad(place.url, { connections: 16, perSecond: 100 })
    const broken: string[] = []
    const exitsMs: number[] = []
    for (let round = 0; round < rounds[form]; round += 1) {
      const product = await startProduct(place, options)
      await sleep(700)
      exitsMs.push(await stopInTheMiddle(product, load, broken))
    }
    await load.stop()
    await mailbox.behave({ does: 'accept' })
    const last = await startProduct(place, options)
    await untilNothingIsOwed(place.databaseFile, 90_000)
    await last.terminate()
    await mailbox.idle()
    mailbox.close()
    const settled = settleAccounts({
      ...{ databaseFile: place.databaseFile, acknowledged: load.acknowledged, mails: mailbox.mails },
    })
    return {
      counts: settled.counts,
      broken: [...broken, ...settled.broken],
      notes: [
        `${rounds[form]} stops with ${halfSent} requests in flight each; ended after ${exitsMs.map((ms) => (ms / 1000).toFixed(2)).join(', ')} s`,
      ],
    }
  })
}

/** How long it took to end, in ms. */
async function stopInTheMiddle(product: Product, load: Load, broken: string[]): Promise<number> {
  const half = await Promise.all(Array.from({ length: halfSent }, () => startHalfSignUp(product.port)))
  const exit = product.terminate()
  await sleep(200)
  const statuses = await Promise.all(half.map((one) => one.finish()))
  half.forEach(({ address }, index) => statuses[index] === 200 && load.acknowledged.add(address))
  const { code, ms } = await exit
  const left = readDeliveries(product.databaseFile).filter(({ state }) => state === 'sending').length
  if (left > 0) broken.push(`${left} mails were left to their leases`)
  const unanswered = statuses.filter((status) => status !== 200).length
  if (unanswered > 0) broken.push(`${unanswered} of ${halfSent} requests in flight got no 200`)
  if (code !== 0) broken.push(`it ended with ${code}`)
  if (ms > exitsWithinMs) broken.push(`it took ${(ms / 1000).toFixed(1)} s to end`)
  return ms
}
