import { z } from 'zod'
import { openSite } from '#server/settings/site-settings.ts'
import { recordAction } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { longText } from '#owner/acts/inputs.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'
import { newestEvents } from '#owner/mail/webhooks/record-event.ts'
import { runCheckUp } from './check-up/check-up.ts'
import { listConditions } from './list-conditions.ts'
import { keepMailProof } from './mail-service/mail-proof.ts'

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
  openPage: ownerProcedure.mutation(async ({ ctx: { server } }) => {
    const blocking = (await listConditions(server)).filter(({ severity }) => severity === 'blocks')
    if (blocking.length > 0) {
      throw new CommandError(`Not yet. ${blocking.map(({ what }) => what).join(' ')}`)
    }
    const { database, settings, now } = server
    await openSite(database, now())
    await recordAction(database, { at: now(), action: 'Opened the page', about: '' })
    await settings.refresh()
  }),
  /** The last twenty events; null without WEBHOOK_URL. */
  webhookEvents: ownerProcedure.query(({ ctx: { server } }) =>
    server.config.webhook ? newestEvents(server.database.ownerReads, 20) : null,
  ),
})
