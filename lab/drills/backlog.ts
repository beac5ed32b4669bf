import { median } from '#rigs/load.ts'
import type { ReceivedMail } from '#rigs/mail/smtp-inbox.ts'
import { settle } from './rig/account.ts'
import type { Form, Outcome } from './rig/drill.ts'
import { startLoad } from './rig/load.ts'
import { readDeliveries, untilNothingIsOwed } from './rig/records.ts'
import { onStage, type Stage } from './rig/stage.ts'

const sizes = { short: 300, long: 10_000 }
/** Sends run in parallel, and while one stalls others pass it. Out of order altogether would be nearly all of `sizes`. */
const mostOutOfPlace = { short: 200, long: 500 }
const mostGrowthMb = 40
const sampleEveryMs = 100

/** Mails wait behind the site's ceiling, then the ceiling is lifted. */
export function drainBacklog(form: Form): Promise<Outcome> {
  return onStage(async (stage) => {
    const { mailbox, place } = stage
    const acknowledged = await pileUp(stage, sizes[form])
    const order = (await readDeliveries(place.databaseFile))
      .filter(({ state }) => state === 'queued')
      .toSorted((a, b) => a.dueAt - b.dueAt || a.id - b.id)
      .map(({ messageId }) => messageId)
    const startedAt = performance.now()
    const product = await stage.start()
    const samples: number[] = []
    const sampling = setInterval(() => samples.push(product.residentMb()), sampleEveryMs)
    await untilNothingIsOwed(place.databaseFile, 300_000)
    clearInterval(sampling)
    const { first, last } = endsOf(samples)
    const memory = `${first.toFixed(0)} -> ${last.toFixed(0)} MB`
    const { counts, broken, deliveredAt } = await settle(stage, [product], { acknowledged })
    const seconds = (deliveredAt - startedAt) / 1000
    const outOfPlace = furthestOutOfPlace(order, mailbox.mails)
    if (order.length !== sizes[form] - 1) broken.push(`${order.length} mails waited behind a ceiling of one`)
    if (outOfPlace > mostOutOfPlace[form]) broken.push(`a mail went ${outOfPlace} places out of its order`)
    if (form === 'long' && last - first > mostGrowthMb)
      broken.push(`memory grew from ${memory} while it drained`)
    const notes = [
      `${order.length} owed at the start, drained in ${seconds.toFixed(1)} s (${Math.round(order.length / seconds)} a second)`,
      `no mail further than ${outOfPlace} places from its turn; memory ${memory}`,
    ]
    return { counts, broken, notes }
  })
}

async function pileUp({ place, mailbox, start }: Stage, most: number): Promise<ReadonlySet<string>> {
  const held = await start({ environment: { LIMIT_SITE_MAILS_PER_HOUR: '1' } })
  const load = startLoad(place.url, { connections: 32, most })
  await load.finished
  await mailbox.arrival(1)
  await held.terminate()
  return load.acknowledged
}

/** The medians of the first and the last quarter. */
function endsOf(samples: readonly number[]): { first: number; last: number } {
  const quarter = Math.ceil(samples.length / 4)
  return { first: median(samples.slice(0, quarter)), last: median(samples.slice(-quarter)) }
}

function furthestOutOfPlace(order: readonly string[], mails: readonly ReceivedMail[]): number {
  const places = new Map(order.map((messageId, place) => [messageId, place]))
  return mails
    .filter(({ messageId }) => places.has(messageId))
    .reduce((most, { messageId }, place) => Math.max(most, Math.abs(places.get(messageId)! - place)), 0)
}
