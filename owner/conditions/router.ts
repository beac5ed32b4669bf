import { z } from 'zod'
import { checkUp, runCheckUp } from './check-up.ts'
import { newestEvents } from '#owner/mail/webhooks/record-event.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'

export const checkUpRouter = router({
  show: ownerProcedure.query(async ({ ctx: { server } }) => ({
    ...checkUp,
    /** The last twenty events; null without WEBHOOK_URL. */
    webhooks: server.config.webhook ? await newestEvents(server.database.ownerReads, 20) : null,
  })),
  start: ownerProcedure
    .input(z.object({ testMail: z.boolean() }))
    .mutation(({ ctx: { server, ownerEmail }, input: { testMail } }) =>
      runCheckUp(server, testMail ? ownerEmail : undefined),
    ),
})
