import { act, owner, proved, router, text } from '../procedures.ts'
import { readActs } from './audit.ts'
import {
  addPasskey,
  listPasskeys,
  offerRegistration,
  passkeyAnswer,
  removePasskey,
} from './passkeys.ts'
import { listBrowsers, signOut, signOutEverywhere } from './sessions.ts'

export const youRouter = router({
  session: owner.query(({ ctx }) => ctx.session.browser),
  show: owner.query(async ({ ctx }) => ({
    ownerEmail: ctx.ownerEmail,
    passkeys: await listPasskeys(ctx),
    browsers: await listBrowsers(ctx, ctx.session),
    acts: await readActs(ctx.database),
  })),
  passkeyOptions: proved.mutation(({ ctx }) => offerRegistration(ctx)),
  addPasskey: act('Added a passkey', proved).input(passkeyAnswer).mutation(addPasskey),
  removePasskey: act('Removed a passkey', proved).input(text).mutation(removePasskey),
  signOut: act('Signed out').mutation(({ ctx }) => signOut(ctx, ctx.session)),
  signOutEverywhere: act('Signed out everywhere').mutation(({ ctx }) => signOutEverywhere(ctx)),
})
