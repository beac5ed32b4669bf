import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { readConfig } from '#server/settings/config.ts'
import { writeSiteSettings } from '#server/site/site-settings.ts'
import { deskPath } from '#contract/desk-paths.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { isReachedAt } from '#owner/conditions/check-site.ts'
import { keepSecret, newSecret } from './secrets.ts'
import type { OwnerRequest } from '#owner/acts/desk-request.ts'
import { text } from '#owner/acts/inputs.ts'
import { FieldError } from '#owner/acts/field-error.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'

const linkMs = 5 * 60_000

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
   * Returns a link that signs in at the new address, if the desk is open at another.
   */
  save: ownerProcedure
    .input(z.object({ publicUrl: text, isSure: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const { settings, database, secret, now } = ctx.server
      if (settings.current.fixed.has('PUBLIC_URL')) {
        throw new FieldError('publicUrl', 'The environment sets it.')
      }
      const publicUrl = readOrigin(input.publicUrl)
      const isOpenThere = originOf(ctx) === publicUrl
      if (!isOpenThere && !input.isSure && !(await isReachedAt(publicUrl, secret))) {
        const message = `${publicUrl} does not lead to this server yet. DNS takes up to an hour; a proxy in front has to pass every request on.`
        throw new TRPCError({ code: 'PRECONDITION_FAILED', message })
      }
      await database.transaction(async (transaction) => {
        await writeSiteSettings(transaction, { PUBLIC_URL: publicUrl })
        await recordActionIn(transaction, { at: now(), action: 'Changed the address', about: '' })
      })
      await settings.refresh()
      if (isOpenThere) return { link: null }
      const link = newSecret()
      await keepSecret(database, link, { kind: 'link', endsAt: now() + linkMs })
      return { link: `${publicUrl}${deskPath}/link#${link}` }
    }),
})

/** `https://` is added to a bare name. */
function readOrigin(typed: string): string {
  const named = typed.trim().replace(/\/+$/, '')
  const url = /^https?:\/\//i.test(named) ? named : `https://${named}`
  const read = readConfig({ PUBLIC_URL: url })
  if (named === '' || 'faults' in read) {
    throw new FieldError(
      'publicUrl',
      'This is not the address of a site, such as https://example.com.',
    )
  }
  return read.config.publicUrl
}

function originOf({ request }: OwnerRequest): string | undefined {
  return request.headers.origin
}
