import type { MailingState } from './mailings.ts'

/** The state of a mailing, after its title: at the desk and on the command line. */
export const mailingStateWords: Record<MailingState, string> = {
  draft: 'is a draft',
  scheduled: 'is scheduled',
  sending: 'is going out',
  paused: 'is paused',
  done: 'is done',
  cancelled: 'was cancelled',
}
