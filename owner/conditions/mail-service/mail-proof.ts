import type { Config } from '#server/settings/config.ts'
import type { Database } from '#server/database/database.ts'
import { readSecret, readSetting, writeSetting } from '#server/database/settings.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import type { CheckContext } from '../check-context.ts'
import { fingerprintOf } from './mail-tests.ts'
import { type AuthenticationResults, readAuthenticationResults } from './pasted-headers.ts'

/** A receiver's findings on a mail of ours, as the owner pasted them. */
export interface MailProof extends AuthenticationResults {
  /** A hash of the service, the sender and the login that it was sent with. */
  sentWith: string
}

const setting = 'mail-proof'

/** Keeps what the headers of a mail from here say. Throws a CommandError if they say nothing. */
export async function keepMailProof(
  database: Database,
  headers: string,
  { config, secret }: { config: Config; secret: string },
): Promise<void> {
  const results = readAuthenticationResults(headers)
  if (results.from !== config.senderDomain) {
    throw new CommandError(
      results.from === undefined
        ? 'There is no line “From:” in it. Paste all headers of the test mail.'
        : `This mail is from ${results.from}, and yours come from ${config.senderDomain}. Paste the headers of the test mail.`,
    )
  }
  const proof: MailProof = { ...results, sentWith: fingerprintOf(config, secret) }
  await database.transaction((transaction) =>
    writeSetting(transaction, setting, JSON.stringify(proof)),
  )
}

/** Returns undefined if none was pasted for what mail is sent with now. */
export function readMailProof(context: CheckContext): Promise<MailProof | undefined> {
  return withDatabase(context, ({ database, config }) =>
    database.transaction(async (transaction) => {
      const stored = await readSetting(transaction, setting)
      if (stored === undefined) return undefined
      const proof: MailProof = JSON.parse(stored) // as keepMailProof wrote it
      const now = fingerprintOf(config, await readSecret(transaction))
      return proof.sentWith === now ? proof : undefined
    }),
  ).catch(() => undefined) // the check of the database says what is wrong with it
}
