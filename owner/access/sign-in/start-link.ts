import { parseEmailAddress } from '#contract/email-address.ts'
import { deskPath, deskStartPath } from '#contract/desk-paths.ts'
import type { Reader, Transaction } from '#server/database/database.ts'
import { deleteSetting, readSetting, writeSetting } from '#server/database/settings.ts'
import { writeSiteSettings } from '#server/settings/site-settings.ts'
import type { ServerContext } from '#server/start/context.ts'
import type { DeskRequest } from '#owner/acts/desk-request.ts'
import { FieldError } from '#owner/acts/errors.ts'
import { canKeepCookie } from './cookies.ts'
import { hashOf, newSecret } from './secrets.ts'
import { nameOwner, startSession, startSetting } from './sessions.ts'

const originSetting = 'desk-origin'

/**
 * The line that tells the owner where the desk is. Without an owner it has a new link. The one
 * before ends at each start, also when there is an owner meanwhile: it stands in an old log. An
 * image that does not know its address names the path alone.
 */
export async function deskLine({ settings, database }: ServerContext): Promise<string> {
  const { config, isAddressKnown } = settings.current
  const origin = isAddressKnown ? config.publicUrl : ''
  const secret = config.ownerEmail === undefined ? newSecret() : undefined
  await database.transaction(async (transaction) => {
    await writeSetting(transaction, originSetting, origin)
    if (secret === undefined) await deleteSetting(transaction, startSetting)
    else await writeSetting(transaction, startSetting, hashOf(secret))
  })
  if (secret === undefined) return `Desk    ${origin}${deskPath}`
  return `Desk    ${origin}${deskStartPath}#${secret}  opens once, for you`
}

/**
 * The origin that the newest start printed. A command may not know it: the server's environment can
 * have another PORT. Undefined: no server has started.
 */
export async function readDeskOrigin(reader: Reader): Promise<string | undefined> {
  return (await readSetting(reader, originSetting)) || undefined
}

/**
 * Makes the holder of the newest link the owner, and signs them in. False: there is an owner, or
 * the link was used, or is not the newest one.
 */
export async function takeDesk(
  deskRequest: DeskRequest,
  { secret, email }: { secret: string; email: string },
): Promise<boolean> {
  const { database, settings, now } = deskRequest.server
  if (deskRequest.ownerEmail !== undefined) return false
  if (!canKeepCookie(deskRequest)) {
    const isSpent = await database.transaction((transaction) => spendLink(transaction, secret))
    if (!isSpent) return false
    throw new FieldError('email', sentInClear)
  }
  const owner = parseEmailAddress(email)
  if (!owner) throw new FieldError('email', 'This is not an address.')
  const isTaken = await database.transaction(async (transaction) => {
    if (!(await spendLink(transaction, secret))) return false
    await writeSiteSettings(transaction, { OWNER_EMAIL: owner.address })
    await nameOwner(transaction, owner.address)
    return true
  })
  if (!isTaken) return false
  await settings.refresh()
  await startSession(deskRequest, { action: 'Became owner with the first link', provedAt: now() })
  return true
}

const sentInClear =
  'This link was sent without encryption, so it no longer works. Start the server again, and open the new link with https://.'

/** Returns false if it is not the newest link. */
async function spendLink(transaction: Transaction, secret: string): Promise<boolean> {
  await transaction.lock(startSetting)
  if ((await readSetting(transaction, startSetting)) !== hashOf(secret)) return false
  await deleteSetting(transaction, startSetting)
  return true
}
