import { readDeliveries } from './rig/records.ts'
import { type Form, onStage } from './rig/stage.ts'

const sizes = { short: 300, long: 10_000 }
/** Sends run in parallel, and while one stalls others pass it. Out of order altogether would be nearly all of `sizes`. */
const maxOutOfPlace = { short: 200, long: 500 }

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
    const ms = (await stage.settle([await start()])) - startedAt
    const places = new Map(queued.map(({ messageId }, index) => [messageId, index]))
    const sent = mailbox.mails.filter(({ messageId }) => places.has(messageId))
    const outOfPlace = Math.max(
      ...sent.map(({ messageId }, index) => Math.abs(places.get(messageId)! - index)),
    )
    stage.expect(outOfPlace <= maxOutOfPlace[form], `a mail went ${outOfPlace} places out of its order`)
    const rate = Math.round((queued.length / ms) * 1000)
    stage.note(
      `${queued.length} pending, ${rate} sent a second, no mail further than ${outOfPlace} places from its turn`,
    )
  })
}
