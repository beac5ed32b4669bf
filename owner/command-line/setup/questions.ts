import { parseEmailAddress } from '#contract/email-address.ts'
import { readConfig } from '#server/configuration/config.ts'
import { isLoopback } from '#server/configuration/loopback.ts'
import { mailApiNames } from '#server/transports/mail-api-providers.ts'

/** By flag. */
export type SetupAnswers = Partial<Record<string, string>>

export interface Question {
  /** Without its dashes. */
  flag: string
  /** Where the answer is written: a name in content/brand.ts, or a variable in .env. */
  brand?: string
  variable?: string
  ask: string
  example: string
  isSecret?: boolean
  /** False: the question does not arise after these answers. */
  arises?(answers: SetupAnswers): boolean
  suggest?(answers: SetupAnswers): string
  /** Completes what was typed. */
  complete?(answer: string): string
  /** Returns what is wrong with an answer, or undefined. */
  faultOf(answer: string): string | undefined
}

const mailWays = new Set<string>(['smtp', ...mailApiNames])
const apis = mailApiNames.join(' or ')

/** In the order in which they are asked. */
export const questions: Question[] = [
  {
    flag: 'name',
    brand: 'name',
    ask: 'Name of the site',
    example: 'Starter Bot',
    faultOf: faultOfText,
  },
  {
    flag: 'creator',
    brand: 'creatorName',
    ask: 'Your name, as it signs the page and the mail',
    example: 'Ada Byron',
    faultOf: faultOfText,
  },
  {
    flag: 'postal-address',
    brand: 'postalAddress',
    ask: 'Postal address at the foot of each mail. The law asks for a real one',
    example: '12 High Street, Springfield',
    faultOf: faultOfText,
  },
  {
    flag: 'public-url',
    variable: 'PUBLIC_URL',
    ask: 'Address of the site',
    example: 'https://bot.example.com',
    complete: withScheme,
    faultOf: (url) => faultOfVariable('PUBLIC_URL', url),
  },
  {
    flag: 'mail-api',
    variable: 'MAIL_API',
    ask: `How mail leaves: smtp, or the HTTP API of ${apis} (for hosts that block SMTP)`,
    example: 'smtp',
    arises: (answers) => answers['smtp-url'] === undefined,
    suggest: () => 'smtp',
    faultOf: (answer) => (mailWays.has(answer) ? undefined : `Answer smtp, ${apis}.`),
  },
  {
    flag: 'smtp-url',
    variable: 'SMTP_URL',
    ask: 'The relay, as your mail provider gives it',
    example: 'smtp://user:password@host:587',
    isSecret: true,
    arises: usesSmtp,
    faultOf: (url) => faultOfVariable('SMTP_URL', url),
  },
  {
    flag: 'mail-api-key',
    variable: 'MAIL_API_KEY',
    ask: 'The key of the mail API',
    example: 're_…',
    isSecret: true,
    arises: (answers) => !usesSmtp(answers),
    faultOf: faultOfText,
  },
  {
    flag: 'mail-from',
    variable: 'MAIL_FROM',
    ask: 'Sender of the mail',
    example: 'Starter Bot <hello@example.com>',
    suggest: (answers) => `${answers['name']} <hello@${hostOf(answers['public-url'])}>`,
    faultOf: (sender) => faultOfVariable('MAIL_FROM', sender),
  },
  {
    flag: 'owner-email',
    variable: 'OWNER_EMAIL',
    ask: 'Your own address, for the weekly report, alarms and the desk',
    example: 'you@example.com',
    faultOf: (address) => (parseEmailAddress(address) ? undefined : 'This is not an email address.'),
  },
]

/** Asked in a terminal alone, after all others. The first may be left empty: then there is no offer. */
export const offerQuestions: Pick<Question, 'flag' | 'ask' | 'example' | 'complete' | 'faultOf'>[] = [
  {
    flag: 'url',
    ask: 'If you have more to offer, such as a course: its address (empty: no offer)',
    example: 'https://example.com/course',
    complete: withScheme,
    faultOf: (url) => (url === '' || URL.canParse(url) ? undefined : 'This is not an address.'),
  },
  { flag: 'title', ask: 'Its title', example: 'The course', faultOf: faultOfText },
  {
    flag: 'text',
    ask: 'A sentence about it',
    example: 'Twelve lessons on strategies.',
    faultOf: faultOfText,
  },
  { flag: 'linkText', ask: 'The words of its link', example: 'See the course', faultOf: faultOfText },
]

function usesSmtp(answers: SetupAnswers): boolean {
  return answers['smtp-url'] !== undefined || (answers['mail-api'] ?? 'smtp') === 'smtp'
}

/** Nobody types https:// before a name. */
function withScheme(url: string): string {
  if (url === '' || url.includes('://')) return url
  return `${isLoopback(url.split(':', 1)[0]!) ? 'http' : 'https'}://${url}`
}

function faultOfText(answer: string): string | undefined {
  if (answer.trim() === '') return 'An answer is needed.'
  if (/[\p{Cc}[\]]/u.test(answer)) return 'Brackets and control characters are not allowed here.'
  return undefined
}

/** Lets the configuration check the answer, so that the rule is the same as at the start. */
function faultOfVariable(name: string, value: string): string | undefined {
  if (value === '') return 'An answer is needed.'
  const read = readConfig({ SMTP_URL: 'smtp://localhost:25', [name]: value })
  const fault = 'faults' in read ? read.faults.find((text) => text.startsWith(name)) : undefined
  return fault === undefined ? undefined : `${fault}.`
}

function hostOf(url = ''): string {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? 'localhost'
}
