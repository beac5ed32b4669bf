import { randomInt } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { ownerMailText } from '#content/owner-mail.ts'
import { fill } from '#site/text/fill.ts'
import { canSend } from '#server/settings/config.ts'
import { counted } from '#owner/acts/output.ts'
import { ownerMailMessage } from '#owner/acts/send-once.ts'
import type { DeskRequest } from '#owner/acts/desk-request.ts'
import { text } from '#owner/acts/inputs.ts'
import { publicProcedure, router } from '#owner/acts/procedures.ts'
import { mayHaveCode } from './code-limits.ts'
import { readCookie, setCookie } from './cookies.ts'
import { offerSignIn, passkeyAnswer, signInByPasskey } from './passkeys.ts'
import { codeMs, hashOf, keepCode, newSecret, tryCode, useLink } from './secrets.ts'
import { startSession } from './sessions.ts'
import { takeDesk } from './start-link.ts'

const minuteMs = 60_000
const cookieName = 'desk-code'

const noOwner = 'This site has no owner yet. The line "Desk" in the server\'s log has the link.'

export const signInRouter = router({
  /** Makes the holder of the first link, which the server's log has, the owner. */
  byStartLink: publicProcedure
    .input(z.object({ secret: text, email: text }))
    .mutation(async ({ ctx, input }) => {
      if (await takeDesk(ctx, input)) return
      const message =
        'This link was used, or is not the newest one. Start the server again: it prints a new one.'
      throw new TRPCError({ code: 'NOT_FOUND', message })
    }),
  show: publicProcedure.query(({ ctx }) => ({
    /** As it is published. */
    siteName: ctx.server.site.current.content.brand.name,
    codeGoesTo: codeGoesTo(ctx),
  })),
  /**
   * Mails a code. The answer is the same above the limits and does not wait for the mail, so it
   * reveals nothing.
   */
  mailCode: publicProcedure.mutation(async ({ ctx }) => {
    if (codeGoesTo(ctx) === 'nowhere') {
      const message =
        'The code cannot be sent: no mail service is set up. Use a passkey, or the link below.'
      throw new TRPCError({ code: 'PRECONDITION_FAILED', message })
    }
    if (ctx.ownerEmail === undefined) {
      throw new TRPCError({ code: 'PRECONDITION_FAILED', message: noOwner })
    }
    const { database, now } = ctx.server
    const browserSecret = newSecret()
    const askedAt = now()
    setCookie(ctx, cookieName, browserSecret, codeMs)
    if (await mayHaveCode(ctx)) {
      const code = String(randomInt(100_000_000)).padStart(8, '0')
      // The browser's secret is not in the table, so nobody who reads it can find the code by
      // trying all eight digits.
      const codeHash = hashOf(browserSecret + code)
      await keepCode(database, { secret: browserSecret, codeHash, now: askedAt })
      void sendCode(ctx, code)
    }
    /** `nextAt`: when another code may be asked for. */
    return { endsAt: askedAt + codeMs, nextAt: askedAt + minuteMs }
  }),
  /** Signs in by a mailed code, in which spaces are ignored. */
  byCode: publicProcedure.input(text).mutation(async ({ ctx, input: typed }) => {
    const { database, log, now } = ctx.server
    const browserSecret = readCookie(ctx, cookieName)
    const codeHash = hashOf(browserSecret + typed.replaceAll(/\s/g, ''))
    const tried = await tryCode(database, { secret: browserSecret, codeHash, now: now() })
    if (tried?.isRight) {
      return startSession(ctx, { action: 'Signed in with a code', provedAt: now() })
    }
    const triesLeft = tried?.triesLeft ?? 0
    if (tried) log.warn('wrong code at the desk', { triesLeft })
    const wrong = `That code is not right. ${counted(triesLeft, 'try', 'tries')} left.`
    const message = triesLeft === 0 ? 'That code is used up. Ask for another one.' : wrong
    throw new TRPCError({ code: 'UNAUTHORIZED', message })
  }),
  // Calls have no limit: it would lock out who shares a network with a stranger. A code has five
  // tries, in one browser; nobody guesses the 256 bits of a link or the signature of a passkey.
  /** The input stands after the # of the address that `owner desk-link` printed. */
  byLink: publicProcedure.input(text).mutation(async ({ ctx, input: secret }) => {
    const { database, now } = ctx.server
    const provedAt = await useLink(database, { secret, now: now() })
    if (provedAt !== undefined) {
      return startSession(ctx, { action: 'Signed in with a link', provedAt })
    }
    const message = 'This link was used, or is older than 5 minutes. Make another one.'
    throw new TRPCError({ code: 'UNAUTHORIZED', message })
  }),
  passkeyOptions: publicProcedure.mutation(({ ctx }) => offerSignIn(ctx)),
  byPasskey: publicProcedure
    .input(passkeyAnswer)
    .mutation(({ ctx, input }) => signInByPasskey(ctx, input)),
})

/** `nowhere`: no mail service is set up. `no-owner`: nobody took the desk. */
function codeGoesTo({
  server,
  ownerEmail,
}: DeskRequest): 'mail' | 'local-inbox' | 'nowhere' | 'no-owner' {
  const { config } = server
  if (ownerEmail === undefined) return 'no-owner'
  if (config.hasLocalInbox) return 'local-inbox'
  return canSend(config) ? 'mail' : 'nowhere'
}

/**
 * Sends the code without queue and ceilings, because the desk must open when these are the trouble.
 */
async function sendCode({ server, ownerEmail = '' }: DeskRequest, code: string): Promise<void> {
  const { mailer, log, config, secret, now } = server
  const { subject, paragraphs } = ownerMailText.deskCode
  const values = { code: `${code.slice(0, 4)} ${code.slice(4)}` }
  const mail = { subject, paragraphs: paragraphs.map((paragraph) => fill(paragraph, values)) }
  const message = ownerMailMessage({ config, secret, now, ownerEmail }, newSecret(), mail)
  const sending = await mailer.send(message)
  if (sending.kind === 'accepted') log.info('code for the desk mailed')
  else log.error('code for the desk not mailed', { why: sending.why })
}
