import { parseEmailAddress } from '#contract/email-address.ts'
import { deskPath, deskStartPath } from '#contract/desk-paths.ts'
import { deleteSetting, readSetting, writeSetting } from '#server/database/settings.ts'
import { writeSiteSettings } from '#server/site/site-settings.ts'
import type { ServerContext } from '#server/start/context.ts'
import type { DeskRequest } from '#owner/acts/desk-request.ts'
import { FieldError } from '#owner/acts/field-error.ts'
import { canKeepCookie } from './cookies.ts'
import { hashOf, newSecret } from './secrets.ts'
import { nameOwner, startSession } from './sessions.ts'

/** Holds the hash of the newest link's secret, so that all instances know the same one. */
const startSetting = 'desk-start'

/**
 * The line that tells the owner where the desk is. Without an owner it has a new link, and the one
 * before ends. An image that does not know its address names the path alone.
 */
export async function deskLine({ settings, database }: ServerContext): Promise<string> {
  const { config, isAddressKnown } = settings.current
  const origin = isAddressKnown ? config.publicUrl : ''
  if (config.ownerEmail !== undefined) return `Desk    ${origin}${deskPath}`
  const secret = newSecret()
  await database.transaction((transaction) =>
    writeSetting(transaction, startSetting, hashOf(secret)),
  )
  return `Desk    ${origin}${deskStartPath}#${secret}  opens once, for you`
}

/**
 * Makes the holder of the newest link the owner, and signs them in. False: the link was used, or is
 * not the newest one.
 */
export async function takeDesk(
  deskRequest: DeskRequest,
  { secret, email }: { secret: string; email: string },
): Promise<boolean> {
  const { database, settings } = deskRequest.server
  const owner = parseEmailAddress(email)
  if (!owner) throw new FieldError('email', 'This is not an address.')
  if (!canKeepCookie(deskRequest)) {
    throw new FieldError(
      'email',
      'Browsers keep nobody signed in without encryption. Open this link by https:// instead.',
    )
  }
  const isNewest = await database.transaction(async (transaction) => {
    await transaction.lock(startSetting)
    if ((await readSetting(transaction, startSetting)) !== hashOf(secret)) return false
    await deleteSetting(transaction, startSetting)
    await writeSiteSettings(transaction, { OWNER_EMAIL: owner.address })
    await nameOwner(transaction, owner.address)
    return true
  })
  if (!isNewest) return false
  await settings.refresh()
  await startSession(deskRequest, 'Took the desk by the first link')
  return true
}
