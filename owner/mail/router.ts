import { z } from 'zod'
import { isUnsent, longestWaiting, newestDeliveries } from './list-deliveries.ts'
import { countByFault, readDeliveryFigures } from './delivery-figures.ts'
import { findFailed, findRetryable, retry, startRetry } from './retry-deliveries.ts'
import { id } from '#owner/acts/inputs.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'
import { describeMailState } from './mail-trouble.ts'

const pageRows = 50
const waitingRows = 200

export const mailRouter = router({
  show: ownerProcedure.query(async ({ ctx: { server } }) => {
    const { config, database, now } = server
    const reads = database.ownerReads
    const at = now()
    const [figures, mail, reasons] = await Promise.all([
      readDeliveryFigures(reads, at),
      describeMailState(reads, config, at),
      countByFault(reads, isUnsent),
    ])
    return { at, mail, ...figures, reasons }
  }),
  /**
   * Lists waiting mail oldest first, up to 200, and other mail newest first. `below`: the number of
   * the last one shown. `retryable`: the numbers of failed mails that can be tried again.
   */
  list: ownerProcedure
    .input(z.object({ state: z.enum(['waiting', 'failed', 'sent']), below: id.optional() }))
    .query(async ({ ctx: { server }, input: { state, below } }) => {
      const reads = server.database.ownerReads
      const limit = state === 'waiting' ? waitingRows : pageRows
      const rows =
        state === 'waiting'
          ? await longestWaiting(reads, limit + 1)
          : await newestDeliveries(reads, state, limit + 1, below)
      const mails = rows.slice(0, limit)
      const ids = state === 'failed' ? mails.map((mail) => mail.id) : []
      return {
        mails,
        retryable: await findRetryable(reads, ids),
        hasMore: rows.length > limit,
      }
    }),
  /** Retries all failed mail that another try may help, which goes on by itself. */
  retryHopeful: provedProcedure.mutation(async ({ ctx: { server } }) => {
    const { database, now } = server
    const { hopeful } = await findFailed(database.ownerReads)
    await startRetry(database, hopeful, now())
  }),
  /** Sends waiting or failed mails now, and leaves out those that cannot be tried again. */
  retry: provedProcedure
    .input(z.object({ ids: z.array(id).max(200) }))
    .mutation(async ({ ctx: { server }, input }) => {
      const outcome = await retry(server, input.ids)
      server.wakeDeliveries()
      return outcome
    }),
})
