import { blameFor, codesIn, plainWords, saysItIsUs } from '#server/transports/refusal.ts'

/** What somebody tells of a mail that came back: a provider's event, or a line of a table. */
export interface ReturnedMail {
  /** Their own names for it: `HardBounce`, `contactFlaggedAsSpam`. */
  types: readonly string[]
  /** What the recipient's server said: "smtp; 550 5.1.1 User unknown". */
  said: string
  recipient: string
}

/** `nothing`: their mailbox is not gone, so they stay on the list. */
export type ReturnKind = 'returned' | 'complaint' | 'unsubscribed' | 'nothing'

const complaint =
  /complain|^(?:email|contact|user)?(?:(?:flagged|marked|reported)(?:as)?)?(?:spam|junk|abuse)(?:report\w*)?$|^fbl$|feedbackloop/
const unsubscribed =
  /(?<!not|never)unsub|opt(?:ed)?out|manualsuppression|^manual$|manuallyadded|usersuppressed|adminblocked/
const temporary =
  /soft|temporary|transient|delay|deferred|block(?!list)|greylist|sender|notification|^4\d/
const permanent =
  /^bounced?$|hard|permanent|invalid|bad(?:email|mailbox|address)|manuallydeactivated|suppress|^cleaned$|^undeliver/

/**
 * Codes and words of the recipient's server are read by the rule for our own relay. The type counts
 * where they say nothing.
 */
export function kindOfReturn({ types, said, recipient }: ReturnedMail): ReturnKind {
  const isNamed = (pattern: RegExp) => namesOf(types).some((name) => pattern.test(name))
  if (isNamed(complaint)) return 'complaint'
  if (isNamed(unsubscribed)) return 'unsubscribed'
  if (saysTemporary(types)) return 'nothing'
  if (blameFor({ to: 'recipient', said, recipient }) === 'person') return 'returned'
  const isExplained =
    codesIn(said).enhanced !== undefined || saysItIsUs(plainWords(said, recipient))
  return isNamed(permanent) && !isExplained ? 'returned' : 'nothing'
}

/** True if the mail is tried again, or was refused for another reason than the mailbox. */
export function saysTemporary(types: ReturnedMail['types']): boolean {
  return namesOf(types).some((name) => temporary.test(name))
}

function namesOf(types: ReturnedMail['types']): string[] {
  return types.map((type) => type.toLowerCase().replaceAll(/[^a-z\d]/g, ''))
}
