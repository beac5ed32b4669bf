import sql from 'sql-template-tag'
import { parseEmailAddress } from '#contract/email-address.ts'
import { writeSiteSettings } from '#server/settings/site-settings.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import type { OwnerRequest } from '#owner/acts/desk-request.ts'
import { FieldError } from '#owner/acts/errors.ts'
import { nameOwner } from './sign-in/sessions.ts'

/**
 * Corrects the owner's address. Whoever reads the former inbox, as after a slip at the first link,
 * keeps nothing: other browsers, codes and links end. Passkeys stay, they are of this person.
 */
export async function changeOwner({ server, session }: OwnerRequest, typed: string): Promise<void> {
  const { database, settings, now } = server
  if (settings.current.fixed.has('OWNER_EMAIL')) {
    throw new FieldError('email', 'The environment sets it: OWNER_EMAIL.')
  }
  const owner = parseEmailAddress(typed)
  if (!owner) throw new FieldError('email', 'This is not an address.')
  await database.transaction(async (transaction) => {
    await writeSiteSettings(transaction, { OWNER_EMAIL: owner.address })
    await nameOwner(transaction, owner.address)
    await transaction.run(sql`delete from desk_sessions where hash <> ${session.hash}`)
    await transaction.run(sql`delete from desk_secrets where kind <> 'challenge'`)
    await recordActionIn(transaction, {
      at: now(),
      action: "Changed the owner's address",
      about: '',
    })
  })
  await settings.refresh()
}
