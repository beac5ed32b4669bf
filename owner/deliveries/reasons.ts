/**
 * `correct`: the address has to be corrected first. `wait`: it is tried again automatically.
 * `owner`: it needs the owner.
 */
type Help = 'retry' | 'correct' | 'wait' | 'owner'

const waiting = 'These are tried again.'
const correct =
  'Correct the address and the mail goes out. Trying the same address again only harms your standing.'
const account = "Look in your mail provider's account: was it closed, or is a bill open?"
const password = `${account} If the password was changed, enter the new one under Mail service.`
const service = 'Enter one under Mail service. Nothing is lost: mail waits for it.'
const key = `${account} Then enter the key under Mail service.`
const ceiling = 'Raise LIMIT_SITE_MAILS_PER_HOUR as far as your mail server allows.'
const restore = 'Restore a backup, or ask for help with the log. These are tried again.'
const standing = 'Run the check-up: it looks at your DNS records. Then ask your mail provider.'
const reach = 'Run the check-up: it tries the mail server. These are tried again.'

/** The first that matches counts. The codes are those of app/server/transports/. */
const explanations: readonly [pattern: RegExp, words: string, advice: string, helps: Help][] = [
  [/^no mail service/, 'No mail service is set up.', service, 'owner'],
  [/^smtp 53[0458]/, 'The mail server refuses our password.', password, 'owner'],
  [/^\w+ 40[13]/, 'The mail provider refuses our key.', key, 'owner'],
  [/^\w+ 429/, "The mail provider's quota is used up.", account, 'owner'],
  [/^smtp [45]\d\d .*to MAIL/, 'The mail server refuses our sender address.', standing, 'owner'],
  [
    /^smtp 5\d\d 5\.[^12]/,
    'The mail server refuses this mail, as spam or by a rule of its own.',
    standing,
    'owner',
  ],
  [/^smtp [45]52/, 'The mailbox is full.', 'Try again in a few days.', 'retry'],
  [
    /^smtp 5[05][0135] (?:5\.\S+ )?to RCPT|^smtp 551/,
    'There is no such mailbox.',
    correct,
    'correct',
  ],
  [
    /^smtp 5\d\d .*to RCPT|^EENVELOPE/,
    'The mail server does not take this address.',
    correct,
    'correct',
  ],
  [
    /^smtp 5/,
    'The mail server refuses this mail, as spam or by a rule of its own.',
    standing,
    'owner',
  ],
  [/^smtp 4/, 'The mail server asked us to come back later.', waiting, 'wait'],
  [/^ETIMEDOUT/, 'The mail server did not answer in time.', waiting, 'wait'],
  [/^ECONNREFUSED|UNREACH/, 'The mail server cannot be reached.', reach, 'owner'],
  [/^ENOTFOUND|^EAI|^EDNS/, 'The name of the mail server is not known.', reach, 'owner'],
  [/^ECONN|^ESOCKET|^EPIPE/, 'The connection to the mail server broke.', waiting, 'wait'],
  [
    /TLS|CERT|SELF_SIGNED/,
    'The connection to the mail server could not be encrypted.',
    reach,
    'owner',
  ],
  [/^\w+ 4\d\d/, 'The mail provider does not take this mail.', correct, 'correct'],
  [/cannot be written/, 'The mail cannot be written: its template is damaged.', restore, 'owner'],
  [/^\w+ 5\d\d/, 'The mail provider has trouble of its own.', waiting, 'wait'],
  [/ceiling of the site/, 'More mail is queued than goes out.', ceiling, 'owner'],
  [/^/, 'The reason is not known.', waiting, 'wait'],
]

/**
 * Says in sentences why mail waits or failed, and what to do. `code`: as the relay or the network
 * gave it, such as `smtp 550 to RCPT TO` or `ETIMEDOUT`. A delivery that failed is not tried again
 * automatically.
 */
export function explainReason(code: string, hasFailed = false) {
  const [, words, advice, helps] = explanations.find(([pattern]) => pattern.test(code))!
  if (hasFailed && helps === 'wait') return { code, words, advice: 'Try again.', helps: 'retry' }
  return { code, words, advice, helps }
}
