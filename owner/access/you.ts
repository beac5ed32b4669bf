import { z } from 'zod'
import { text } from '#owner/acts/inputs.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { changeOwner } from './change-owner.ts'
import {
  addPasskey,
  listPasskeys,
  offerRegistration,
  passkeyAnswer,
  passkeyObstacle,
  removePasskey,
} from './sign-in/passkeys.ts'
import { liveSessions, signOut, signOutBrowser, signOutEverywhere } from './sign-in/sessions.ts'

export const youRouter = router({
  session: ownerProcedure.query(({ ctx }) => ctx.session.browser),
  show: ownerProcedure.query(async ({ ctx }) => {
    const { server, session, ownerEmail } = ctx
    const { database, now } = server
    const sessions = await liveSessions(database, now())
    return {
      ownerEmail,
      isOwnerFixed: server.settings.current.fixed.has('OWNER_EMAIL'),
      passkeys: await listPasskeys(database.ownerReads),
      passkeyObstacle: passkeyObstacle(ctx),
      browsers: sessions.map((one) => ({ ...one, isThis: one.hash === session.hash })),
      audit: await readAudit(database.ownerReads),
    }
  }),
  changeOwner: provedProcedure
    .input(z.object({ email: text }))
    .mutation(({ ctx, input }) => changeOwner(ctx, input.email)),
  passkeyOptions: provedProcedure.mutation(({ ctx }) => offerRegistration(ctx)),
  addPasskey: provedProcedure
    .input(passkeyAnswer)
    .mutation(({ ctx, input }) => addPasskey(ctx, input)),
  removePasskey: provedProcedure
    .input(text)
    .mutation(({ ctx, input }) => removePasskey(ctx, input)),
  signOut: ownerProcedure.mutation(({ ctx }) => signOut(ctx)),
  /** `input`: the hash of its session, as `show` names it. */
  signOutBrowser: ownerProcedure
    .input(text)
    .mutation(({ ctx, input }) => signOutBrowser(ctx, input)),
  signOutEverywhere: ownerProcedure.mutation(({ ctx }) => signOutEverywhere(ctx)),
})
