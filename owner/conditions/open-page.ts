import type { ServerContext } from '#server/start/context.ts'
import { openSite } from '#server/settings/site-settings.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { listConditions } from './list-conditions.ts'

/** Shows the page to strangers. Throws a CommandError that names the errors that block it. */
export async function openPage(server: ServerContext): Promise<void> {
  const blocking = (await listConditions(server)).filter(({ severity }) => severity === 'blocks')
  if (blocking.length > 0) {
    throw new CommandError(`Not yet. ${blocking.map(({ what }) => what).join(' ')}`)
  }
  const { database, settings, now } = server
  await database.transaction(async (transaction) => {
    await openSite(transaction, now())
    await recordActionIn(transaction, { at: now(), action: 'Opened the page', about: '' })
  })
  await settings.refresh()
}
