import { readConfig } from '#server/configuration/config.ts'
import { isLoopback } from '#server/configuration/loopback.ts'
import { mailApiNames } from '#server/configuration/mail-apis.ts'

/** By flag. */
export type SetupAnswers = Partial<Record<string, string>>

export interface Question {
  text: string
  example: string
  isSecret?: boolean
  /** Without its dashes. */
  flag: string
  /** Where the answer is written in .env. Others go to content/. */
  variable?: string
  /** False: the question does not arise after these answers. */
  arises?(answers: SetupAnswers): boolean
  suggest?(answers: SetupAnswers): string
  /** Completes what was typed. */
  complete?(answer: string): string
  /** Replaces the usual check. */
  faultOf?(answer: string): string | undefined
}

/** Returns what is wrong with an answer, or undefined. */
export function faultIn({ variable, faultOf }: Question, answer: string): string | undefined {
  if (faultOf) return faultOf(answer)
  if (answer.trim() === '') return 'An answer is needed.'
  if (variable === undefined) {
    return /[\p{Cc}[\]]/u.test(answer)
      ? 'Brackets and control characters are not allowed here.'
      : undefined
  }
  // The configuration checks the answer, so that the rule is the same as at the start.
  const read = readConfig({ MAIL_API: mailApiNames[0], MAIL_API_KEY: 'key', [variable]: answer })
  const fault = 'faults' in read ? read.faults.find((text) => text.startsWith(variable)) : undefined
  return fault && `${fault}.`
}

const mailWays = new Set<string>(['smtp', ...mailApiNames])
const apis = mailApiNames.join(' or ')

/** In the order in which they are asked. */
export const questions: Question[] = [
  {
    flag: 'name',
    text: 'Name of the site',
    example: 'Starter Bot',
  },
  {
    flag: 'creator',
    text: 'Your name, as it signs the page and the mail',
    example: 'Ada Byron',
  },
  {
    flag: 'postal-address',
    text: 'Postal address at the foot of each mail. The law asks for a real one',
    example: '12 High Street, Springfield',
  },
  {
    flag: 'public-url',
    variable: 'PUBLIC_URL',
    text: 'Address of the site',
    example: 'https://bot.example.com',
    complete: withScheme,
  },
  {
    flag: 'mail-api',
    variable: 'MAIL_API',
    text: `How mail leaves: smtp, or the HTTP API of ${apis} (for hosts that block SMTP)`,
    example: 'smtp',
    arises: (answers) => answers['smtp-url'] === undefined,
    suggest: () => 'smtp',
    faultOf: (answer) => (mailWays.has(answer) ? undefined : `Answer smtp, ${apis}.`),
  },
  {
    flag: 'smtp-url',
    variable: 'SMTP_URL',
    text: 'The relay, as your mail provider gives it',
    example: 'smtp://user:password@host:587',
    isSecret: true,
    arises: usesSmtp,
  },
  {
    flag: 'mail-api-key',
    variable: 'MAIL_API_KEY',
    text: 'The key of the mail API',
    example: 're_…',
    isSecret: true,
    arises: (answers) => !usesSmtp(answers),
  },
  {
    flag: 'mail-from',
    variable: 'MAIL_FROM',
    text: 'Sender of the mail',
    example: 'Starter Bot <hello@example.com>',
    suggest: ({ name, 'public-url': url = '' }) => {
      const host = URL.parse(url)?.hostname.replace(/^www\./, '') ?? 'localhost'
      return `${name} <hello@${host}>`
    },
  },
  {
    flag: 'owner-email',
    variable: 'OWNER_EMAIL',
    text: 'Your own address, for the weekly report, alarms and the desk',
    example: 'you@example.com',
  },
]

/**
 * Asked in a terminal alone, after all others. The first may be left empty: then there is no offer.
 */
export const offerQuestions: Question[] = [
  {
    flag: 'url',
    text: 'If you have more to offer, such as a course: its address (empty: no offer)',
    example: 'https://example.com/course',
    complete: withScheme,
    faultOf: (url) => (url === '' || URL.canParse(url) ? undefined : 'This is not an address.'),
  },
  { flag: 'title', text: 'Its title', example: 'The course' },
  {
    flag: 'text',
    text: 'A sentence about it',
    example: 'Twelve lessons on strategies.',
  },
  { flag: 'linkText', text: 'The words of its link', example: 'See the course' },
]

function usesSmtp(answers: SetupAnswers): boolean {
  return answers['smtp-url'] !== undefined || (answers['mail-api'] ?? 'smtp') === 'smtp'
}

/** Nobody types https:// before a name. */
function withScheme(url: string): string {
  if (url === '' || url.includes('://')) return url
  return `${isLoopback(url.split(':', 1)[0]!) ? 'http' : 'https'}://${url}`
}
