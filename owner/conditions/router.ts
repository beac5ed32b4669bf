import { z } from 'zod'
import { longText } from '#owner/acts/inputs.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'
import { newestEvents } from '#owner/mail/webhooks/record-event.ts'
import { runCheckUp } from './check-up/check-up.ts'
import { keepMailProof } from './mail-service/mail-proof.ts'
import { openPage } from './open-page.ts'

export const conditionsRouter = router({
  startCheckUp: ownerProcedure
    .input(z.object({ testMail: z.boolean() }))
    .mutation(({ ctx: { server, ownerEmail }, input: { testMail } }) =>
      runCheckUp(server, testMail ? ownerEmail : undefined),
    ),
  /** Keeps what a receiver found on the test mail. */
  pasteHeaders: ownerProcedure
    .input(z.object({ headers: longText }))
    .mutation(async ({ ctx: { server }, input: { headers } }) => {
      await keepMailProof(server.database, headers, server)
      runCheckUp(server)
    }),
  openPage: ownerProcedure.mutation(({ ctx: { server } }) => openPage(server)),
  /** The last twenty events; null without WEBHOOK_URL. */
  webhookEvents: ownerProcedure.query(({ ctx: { server } }) =>
    server.config.webhook ? newestEvents(server.database.ownerReads, 20) : null,
  ),
})
