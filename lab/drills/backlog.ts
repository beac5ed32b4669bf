import { median } from '#rigs/load.ts'
import { readDeliveries, untilNothingIsPending } from './rig/records.ts'
import { type Form, onStage } from './rig/stage.ts'

const sizes = { short: 300, long: 10_000 }
/** Sends run in parallel, and while one stalls others pass it. Out of order altogether would be nearly all of `sizes`. */
const maxOutOfPlace = { short: 200, long: 500 }
const maxGrowthMb = 40
const sampleEveryMs = 100

/** Mails wait behind the site's ceiling, then the ceiling is lifted. */
export function drainBacklog(form: Form) {
  return onStage(async (stage) => {
    const { mailbox, place, start } = stage
    const held = await start({ environment: { LIMIT_SITE_MAILS_PER_HOUR: '1' } })
    await stage.crowd({ connections: 32, count: sizes[form] }).finished
    await mailbox.arrival(1)
    await held.terminate()
    const deliveries = await readDeliveries(place.databaseFile)
    const queued = deliveries.filter(({ state }) => state === 'queued')
    stage.expect(queued.length === sizes[form] - 1, `${queued.length} mails waited behind a ceiling of one`)

    const startedAt = performance.now()
    const product = await start()
    const samples: number[] = []
    const sampling = setInterval(() => samples.push(product.residentMb()), sampleEveryMs)
    await untilNothingIsPending(place.databaseFile, 300_000).finally(() => clearInterval(sampling))
    const quarter = Math.ceil(samples.length / 4)
    const [first, last] = [samples.slice(0, quarter), samples.slice(-quarter)].map(median)
    const ms = (await stage.settle([product])) - startedAt

    const places = new Map(queued.map(({ messageId }, index) => [messageId, index]))
    const sent = mailbox.mails.filter(({ messageId }) => places.has(messageId))
    const outOfPlace = Math.max(
      ...sent.map(({ messageId }, index) => Math.abs(places.get(messageId)! - index)),
    )
    const memory = `${first!.toFixed(0)} -> ${last!.toFixed(0)} MB`
    stage.expect(outOfPlace <= maxOutOfPlace[form], `a mail went ${outOfPlace} places out of its order`)
    stage.expect(form === 'short' || last! - first! <= maxGrowthMb, `memory grew from ${memory}`)
    const rate = Math.round((queued.length / ms) * 1000)
    stage.note(
      `${queued.length} pending at the start, drained in ${(ms / 1000).toFixed(1)} s (${rate} a second)`,
    )
    stage.note(`no mail further than ${outOfPlace} places from its turn; memory ${memory}`)
  })
}
