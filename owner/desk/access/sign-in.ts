import type { Call } from '../call.ts'
import { anybody, owner, proved, recorded, Refused, router, text } from '../procedures.ts'
import { readActs } from './audit.ts'
import { mailCode, signInByCode } from './mail-code.ts'
import {
  addPasskey,
  listPasskeys,
  offerRegistration,
  offerSignIn,
  passkeyAnswer,
  removePasskey,
  signInByPasskey,
} from './passkeys.ts'
import { isWithinLimit, tryOnce } from './secrets.ts'
import {
  listBrowsers,
  networkOf,
  signOut,
  signOutEverywhere,
  startSession,
  wasSignedInBefore,
} from './sessions.ts'

const callsPerNetworkAnHour = 60

/** One limit for all that strangers may call. It does not close the door to browsers that were signed in before. */
const door = anybody.use(async ({ ctx, next }) => {
  const name = `desk door ${networkOf(ctx)}`
  const isAllowed =
    (await wasSignedInBefore(ctx)) ||
    (await ctx.database.transaction((transaction) =>
      isWithinLimit(transaction, name, callsPerNetworkAnHour, ctx.now()),
    ))
  if (isAllowed) return next()
  const why = 'Too many tries from this network. Try again in an hour.'
  throw new Refused(why, 'TOO_MANY_REQUESTS')
})

export const signInRouter = router({
  mailCode: door.mutation(({ ctx }) => mailCode(ctx)),
  byCode: door.input(text).mutation(({ ctx, input }) => signInByCode(ctx, input)),
  /** The input stands after the # of the address that `owner desk-link` printed. */
  byLink: door.input(text).mutation(({ ctx, input }) => signInByLink(ctx, input)),
  passkeyOptions: door.mutation(({ ctx }) => offerSignIn(ctx)),
  byPasskey: door.input(passkeyAnswer).mutation(({ ctx, input }) => signInByPasskey(ctx, input)),
})

export const youRouter = router({
  session: owner.query(({ ctx }) => ctx.session.browser),
  show: owner.query(async ({ ctx }) => ({
    ownerEmail: ctx.ownerEmail,
    passkeys: await listPasskeys(ctx),
    browsers: await listBrowsers(ctx, ctx.session),
    acts: await readActs(ctx.database),
  })),
  passkeyOptions: proved.mutation(({ ctx }) => offerRegistration(ctx)),
  addPasskey: proved
    .input(passkeyAnswer)
    .use(recorded('Added a passkey'))
    .mutation(({ ctx, input }) => addPasskey(ctx, ctx.session.browser, input)),
  removePasskey: proved
    .input(text)
    .use(recorded('Removed a passkey'))
    .mutation(({ ctx, input }) => removePasskey(ctx, input)),
  signOut: owner.use(recorded('Signed out')).mutation(({ ctx }) => signOut(ctx, ctx.session)),
  signOutEverywhere: owner
    .use(recorded('Signed out everywhere'))
    .mutation(({ ctx }) => signOutEverywhere(ctx)),
})

/** The link of the owner's command desk-link. */
async function signInByLink(call: Call, token: string): Promise<void> {
  const { database, now } = call
  const used = await tryOnce(database, token, 'link', now())
  if (used) return startSession(call, 'Signed in by a link')
  const why = 'This link was used, or is older than 5 minutes. Make another one.'
  throw new Refused(why, 'UNAUTHORIZED')
}
