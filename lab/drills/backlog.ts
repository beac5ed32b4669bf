import { readDeliveries } from './rig/records.ts'
import { type Form, onStage } from './rig/stage.ts'

const sizes = { short: 150, long: 10_000 }
/**
 * How many places a mail may arrive too early or too late. Mails are sent in parallel, and while
 * one stalls, others pass it. Without any order it would be nearly all of `sizes`.
 */
const maxOutOfOrder = { short: 100, long: 500 }

/** Mails wait behind the site's ceiling, then the ceiling is lifted. */
export function drainBacklog(form: Form) {
  return onStage(async (stage) => {
    const { mailbox, site } = stage
    const held = await site.start({ environment: { LIMIT_SITE_MAILS_PER_HOUR: '1' } })
    await stage.crowd({ connections: 32, count: sizes[form] }).finished
    await mailbox.arrival(1)
    await held.terminate()
    const deliveries = await readDeliveries(site.databaseFile)
    const queued = deliveries.filter(({ state }) => state === 'queued')
    stage.expect(
      queued.length === sizes[form] - 1,
      `${queued.length} mails waited behind a ceiling of one`,
    )

    const startedAt = performance.now()
    const ms = (await stage.settle([await site.start()])) - startedAt
    const positions = new Map(queued.map(({ messageId }, index) => [messageId, index]))
    const sent = mailbox.mails.filter(({ messageId }) => positions.has(messageId))
    const outOfOrder = Math.max(
      ...sent.map(({ messageId }, index) => Math.abs(positions.get(messageId)! - index)),
    )
    stage.expect(
      outOfOrder <= maxOutOfOrder[form],
      `a mail went ${outOfOrder} positions out of its order`,
    )
    const rate = Math.round((queued.length / ms) * 1000)
    stage.note(
      `${queued.length} pending, ${rate} sent a second, no mail further than ${outOfOrder} positions from its turn`,
    )
  })
}
