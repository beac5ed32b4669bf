import { randomInt } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { ownerMailText } from '#content/owner-mail.ts'
import { isSameSecret } from '#server/http/gate.ts'
import { counted } from '../../command-line/output.ts'
import { messageOf } from '../../weekly-report/send-once.ts'
import type { Call } from '../call.ts'
import { anybody, router, text } from '../procedures.ts'
import { offerSignIn, passkeyAnswer, signInByPasskey } from './passkeys.ts'
import { hashOf, isWithinLimit, keepSecret, newSecret, tryOnce } from './secrets.ts'
import { networkOf, readCookie, setCookie, startSession, wasSignedInBefore } from './sessions.ts'

const minuteMs = 60_000
const codeMs = 10 * minuteMs
const tries = 5
const codesPerNetworkAnHour = 5
/** A guess succeeds about once in a million hours, since each code allows five tries. */
const codesAnHour = 20
/** Kept for browsers that were signed in before, so that strangers cannot close the door. */
const codesForKnownBrowsersAnHour = 5
const cookieName = 'desk-code'
const callsPerNetworkAnHour = 60

/**
 * One limit for all that strangers may call. It does not close the door to browsers that were
 * signed in before.
 */
const door = anybody.use(async ({ ctx, next }) => {
  const isKnown = await wasSignedInBefore(ctx)
  if (isKnown || (await isWithinLimit(ctx, `desk door ${networkOf(ctx)}`, callsPerNetworkAnHour))) {
    return next()
  }
  const message = 'Too many tries from this network. Try again in an hour.'
  throw new TRPCError({ code: 'TOO_MANY_REQUESTS', message })
})

export const signInRouter = router({
  /**
   * Mails a code. The answer is the same above the limits and does not wait for the mail, so it
   * reveals nothing.
   */
  mailCode: door.mutation(async ({ ctx: call }) => {
    const [browser, now] = [newSecret(), call.now()]
    const endsAt = now + codeMs
    setCookie(call, cookieName, browser, codeMs)
    if (await mayHaveCode(call)) {
      const code = String(randomInt(100_000_000)).padStart(8, '0')
      // The browser's secret is not in the table, so nobody who reads it can find the code by
      // trying all eight digits.
      const value = hashOf(browser + code)
      await keepSecret(call.database, browser, { kind: 'code', value, tries, endsAt })
      void send(call, code)
    }
    /** `nextAt`: when another code may be asked for. */
    return { endsAt, nextAt: now + minuteMs }
  }),
  /** Signs in by a mailed code, in which spaces are ignored. */
  byCode: door.input(text).mutation(async ({ ctx: call, input: typed }) => {
    const browser = readCookie(call, cookieName)
    const value = hashOf(browser + typed.replaceAll(/\s/g, ''))
    const tried = await tryOnce(call, browser, 'code', value)
    if (tried && isSameSecret(value, tried.value)) return startSession(call, 'Signed in by a code')
    const triesLeft = tried?.tries_left ?? 0
    if (tried) call.log.warn('wrong code at the desk', { triesLeft })
    const wrong = `That code is not right. ${counted(triesLeft, 'try', 'tries')} left.`
    const message = triesLeft === 0 ? 'That code is used up. Ask for another one.' : wrong
    throw new TRPCError({ code: 'UNAUTHORIZED', message })
  }),
  /** The input stands after the # of the address that `owner desk-link` printed. */
  byLink: door.input(text).mutation(async ({ ctx, input }) => {
    if (await tryOnce(ctx, input, 'link')) return startSession(ctx, 'Signed in by a link')
    const message = 'This link was used, or is older than 5 minutes. Make another one.'
    throw new TRPCError({ code: 'UNAUTHORIZED', message })
  }),
  passkeyOptions: door.mutation(({ ctx }) => offerSignIn(ctx)),
  byPasskey: door.input(passkeyAnswer).mutation(({ ctx, input }) => signInByPasskey(ctx, input)),
})

/** A network above its limit does not use up the common limit. */
async function mayHaveCode(call: Call): Promise<boolean> {
  const isKnown = await wasSignedInBefore(call)
  if (isKnown && (await isWithinLimit(call, 'desk known', codesForKnownBrowsersAnHour))) return true
  const isNetworkWithin = await isWithinLimit(
    call,
    `desk ${networkOf(call)}`,
    codesPerNetworkAnHour,
  )
  return isNetworkWithin && isWithinLimit(call, 'desk', codesAnHour)
}

/**
 * Sends the code without queue and ceilings, because the desk must open when these are the trouble.
 */
async function send(call: Call, code: string): Promise<void> {
  const mail = ownerMailText.deskCode(`${code.slice(0, 4)} ${code.slice(4)}`)
  const sending = await call.mailer.send(messageOf(call, newSecret(), mail))
  if (sending.kind === 'accepted') call.log.info('code for the desk mailed')
  else call.log.error('code for the desk not mailed', { why: sending.why })
}
