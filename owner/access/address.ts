import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { readSettings } from '#server/settings/config.ts'
import { writeSiteSettings } from '#server/settings/site-settings.ts'
import { deskPath } from '#contract/desk-paths.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { leadsHere } from '#owner/conditions/site/ask-server.ts'
import { makeLink } from './sign-in/secrets.ts'
import { text } from '#owner/acts/inputs.ts'
import { FieldError } from '#owner/acts/errors.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'

export const addressRouter = router({
  show: ownerProcedure.query(({ ctx: { server } }) => {
    const { config, fixed, isAddressKnown } = server.settings.current
    return {
      publicUrl: isAddressKnown ? config.publicUrl : null,
      isFixed: fixed.has('PUBLIC_URL'),
    }
  }),
  /**
   * Stores the address once it leads here. `isSure`: also if this server cannot reach itself there.
   * `link`: signs in there, as far as this session is proved. Null: the desk is open there, or
   * nothing proves that it is this server which answers there.
   */
  save: provedProcedure
    .input(z.object({ publicUrl: text, isSure: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const { settings, database, secret, now } = ctx.server
      if (settings.current.fixed.has('PUBLIC_URL')) {
        throw new FieldError('publicUrl', 'The environment sets it.')
      }
      const publicUrl = readOrigin(input.publicUrl)
      const isOpenThere = ctx.request.headers.origin === publicUrl
      const isProved = isOpenThere || (await leadsHere(publicUrl, secret))
      if (!isProved && !input.isSure) {
        const message = `${publicUrl} does not lead to this server yet. DNS takes up to an hour; a proxy in front has to pass every request on.`
        throw new TRPCError({ code: 'PRECONDITION_FAILED', message })
      }
      await database.transaction(async (transaction) => {
        await writeSiteSettings(transaction, { PUBLIC_URL: publicUrl })
        await recordActionIn(transaction, { at: now(), action: 'Changed the address', about: '' })
      })
      await settings.refresh()
      if (isOpenThere || !isProved) return { publicUrl, link: null }
      const linkSecret = await makeLink(database, {
        now: now(),
        provedAt: ctx.session.signed_in_at,
      })
      return { publicUrl, link: `${publicUrl}${deskPath}/link#${linkSecret}` }
    }),
})

/** `https://` is added to a bare name. */
function readOrigin(typed: string): string {
  const named = typed.trim().replace(/\/+$/, '')
  const url = /^https?:\/\//i.test(named) ? named : `https://${named}`
  const read = readSettings({ PUBLIC_URL: url })
  if (named === '' || 'faults' in read) {
    throw new FieldError(
      'publicUrl',
      'This is not the address of a site, such as https://example.com.',
    )
  }
  return read.config.publicUrl
}
