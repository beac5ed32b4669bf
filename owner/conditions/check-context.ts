import type { Config } from '#server/settings/config.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import type { StoredSite } from '#owner/acts/owned-database.ts'
import type { Condition } from './condition.ts'

/** The context of a check that asks somebody outside or takes long. */
export interface CheckContext
  extends
    StoredSite,
    Pick<CommandContext, 'environment' | 'folder' | 'now' | 'renderer' | 'dns' | 'answerMs'> {
  /** That of `settings`. */
  config: Config
  /** Is undefined if no test mail is wanted. */
  testAddress?: string | undefined
}

/** The context of a check that only asks the mail service. */
export type MailServiceContext = Pick<CheckContext, 'config' | 'settings' | 'answerMs'>

/** The conditions that a check found; none if there is nothing to check. */
export type Outcome = Condition | Condition[]
export type Check = (context: CheckContext) => Outcome | Promise<Outcome>
