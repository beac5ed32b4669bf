import { networkFaults } from '#owner/acts/network-faults.ts'

/**
 * `correct`: the address has to be corrected first. `wait`: it is tried again automatically.
 * `owner`: it needs the owner.
 */
type Help = 'retry' | 'correct' | 'wait' | 'owner'

const waiting = 'These are tried again.'
const correct =
  'Correct the address and the mail goes out. Trying the same address again only harms your standing.'
const account = "Look in your mail provider's account: was it closed, or is a bill unpaid?"
const password = `${account} If the password was changed, enter the new one under Mail service.`
const service = 'Enter one under Mail service. Nothing is lost: mail waits for it.'
const key = `${account} Then enter the key under Mail service.`
const ceiling =
  'Allow more mails an hour in the server’s settings, as far as your mail server takes them, and restart.'
const restore = 'Restore a backup, or ask for help with the log. These are tried again.'
const standing = 'Run the check-up: it looks at your DNS records. Then ask your mail provider.'
const reach = 'Run the check-up: it tries the mail server. These are tried again.'

interface Explanation {
  pattern: RegExp
  words: string
  advice: string
  helps: Help
}

/** True for the answer of Microsoft 365 where a password is no longer enough. */
export function isEndOfPasswords(answer: string): boolean {
  return /\b5\.7\.(?:30|139)\b/.test(answer)
}

/** Read on 28 November 2026 in Microsoft's announcement of 27 January 2026. */
export const endOfPasswords =
  'Microsoft 365 ends sending with user and password: it is off by default from the end of December 2026. Until it is gone for good, an administrator can switch “Authenticated SMTP” on again for the mailbox. Better, send through a service made for this, such as Resend or Postmark: enter it under Mail service.'

/** The first that matches counts. The codes are those of app/server/transports/. */
const explanations: readonly Explanation[] = [
  {
    pattern: /^no mail service/,
    words: 'No mail service is set up.',
    advice: service,
    helps: 'owner',
  },
  {
    pattern: /^smtp 5\d\d 5\.7\.(?:30|139)/,
    words: 'Microsoft 365 takes no password any more.',
    advice: endOfPasswords,
    helps: 'owner',
  },
  {
    pattern: /^smtp 53[0458]/,
    words: 'The mail server rejected the password.',
    advice: password,
    helps: 'owner',
  },
  {
    pattern: /^\w+ 40[13]/,
    words: 'The mail provider rejected the key.',
    advice: key,
    helps: 'owner',
  },
  {
    pattern: /^\w+ 429/,
    words: "The mail provider's quota is used up.",
    advice: account,
    helps: 'owner',
  },
  {
    pattern: /^smtp [45]\d\d .*to MAIL/,
    words: 'The mail server does not accept the sender address.',
    advice: standing,
    helps: 'owner',
  },
  {
    pattern: /^smtp [45]52 (?:[45]\.2\.2 )?to/,
    words: 'The mailbox is full.',
    advice: 'Try again in a few days.',
    helps: 'retry',
  },
  {
    pattern: /^smtp 5\d\d 5\.2\.1 to/,
    words: 'The mailbox takes no mail.',
    advice: 'Try again in a few days.',
    helps: 'retry',
  },
  {
    pattern: /^smtp 5\d\d (?:5\.1\.(?:[1236]|10)|no such mailbox) to/,
    words: 'There is no such mailbox.',
    advice: correct,
    helps: 'correct',
  },
  {
    pattern: /^EENVELOPE/,
    words: 'The mail server does not take this address.',
    advice: correct,
    helps: 'correct',
  },
  {
    pattern: /^smtp 5/,
    words: 'The mail server refuses this mail, as spam or under a rule of its own.',
    advice: standing,
    helps: 'owner',
  },
  {
    pattern: /^smtp 4/,
    words: 'The mail server asked us to come back later.',
    advice: waiting,
    helps: 'wait',
  },
  {
    pattern: networkFaults.late.codes,
    words: 'The mail server did not answer in time.',
    advice: waiting,
    helps: 'wait',
  },
  {
    pattern: networkFaults.unreachable.codes,
    words: 'The mail server cannot be reached.',
    advice: reach,
    helps: 'owner',
  },
  {
    pattern: networkFaults.unknownName.codes,
    words: 'The name of the mail server is not known.',
    advice: reach,
    helps: 'owner',
  },
  {
    pattern: networkFaults.broken.codes,
    words: 'The connection to the mail server broke.',
    advice: waiting,
    helps: 'wait',
  },
  {
    pattern: networkFaults.certificate.codes,
    words: 'The certificate of the mail server cannot be verified.',
    advice: reach,
    helps: 'owner',
  },
  {
    pattern: networkFaults.encryption.codes,
    words: 'The connection to the mail server could not be encrypted.',
    advice: reach,
    helps: 'owner',
  },
  {
    pattern: /^\w+ 4\d\d/,
    words: 'The mail provider does not take this mail.',
    advice: correct,
    helps: 'correct',
  },
  {
    pattern: /cannot be written/,
    words: 'The mail cannot be written: its template is damaged.',
    advice: restore,
    helps: 'owner',
  },
  {
    pattern: /^\w+ 5\d\d/,
    words: 'The mail provider has trouble of its own.',
    advice: waiting,
    helps: 'wait',
  },
  {
    pattern: /ceiling of the site/,
    words: 'More mail is queued than goes out.',
    advice: ceiling,
    helps: 'owner',
  },
  { pattern: /^/, words: 'The reason is not known.', advice: waiting, helps: 'wait' },
]

export interface Reason extends Omit<Explanation, 'pattern'> {
  /** As the relay or the network gave it. */
  code: string
}

/**
 * Says in sentences why mail waits or failed, and what to do. `code`: as the relay or the network
 * gave it, such as `smtp 550 to RCPT TO` or `ETIMEDOUT`. A delivery that failed is not tried again
 * automatically.
 */
export function explainReason(code: string, hasFailed = false): Reason {
  const { words, advice, helps } = explanations.find(({ pattern }) => pattern.test(code))!
  if (hasFailed && helps === 'wait') return { code, words, advice: 'Try again.', helps: 'retry' }
  return { code, words, advice, helps }
}
