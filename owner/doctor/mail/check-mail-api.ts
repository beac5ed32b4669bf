import { askMailApi, type ApiAnswer, type MailApiAccess } from '#server/transports/mail-api.ts'
import { mailApiProviders } from '#server/transports/mail-api-providers.ts'
import { smtpFailure } from '#server/transports/smtp-failure.ts'
import { type Check, type CheckContext, type Finding, subject } from '../finding.ts'

const answers = subject('mail.connects', 'Until it does, sign-ups are stored and nobody gets the mail.')
const login = subject('mail.login', 'The provider takes mail only from a key that it knows.')
const sender = subject('mail.sender', 'A provider sends for verified domains and refuses the others.')

export const mailApiChecks: Check[] = [{ about: answers, run: checkMailApi }]

const stepMs = 6_000

/** Asks for what the key may read, and changes nothing. A sending key of Resend may read nothing, and is told apart. */
async function checkMailApi({ config: { mailApi, mailFrom } }: CheckContext): Promise<Finding[]> {
  if (!mailApi) return []
  const { host } = new URL(mailApi.baseUrl)
  const { harmlessPath } = mailApiProviders[mailApi.provider]
  try {
    const answer = await askMailApi(mailApi, harmlessPath, { signal: AbortSignal.timeout(stepMs) })
    const domain = mailFrom.address.split('@')[1] ?? ''
    return [...judgeAnswer(host, mailApi, answer), ...judgeSender(mailApi, answer, domain)]
  } catch (cause) {
    return [
      answers.wrong(
        `${host} does not answer: ${smtpFailure(cause).why}.`,
        'Check MAIL_API_BASE_URL, and that this machine may call other hosts by HTTPS.',
      ),
    ]
  }
}

function judgeAnswer(host: string, { provider }: MailApiAccess, { status, fields }: ApiAnswer): Finding[] {
  const { code, message } = mailApiProviders[provider].read(fields)
  const isThere = answers.ok(`${host} answers.`)
  if (status === 200) return [isThere, login.ok(`${host} knows the key.`)]
  if (code === 'restricted_api_key') return [isThere, login.ok(`${host} knows the key, which may only send.`)]
  if ([400, 401, 403].includes(status))
    return [
      isThere,
      login.wrong(
        `${host} refuses the key: ${[status, code, message].join(' ').trim()}.`,
        keyAdvice[provider],
      ),
    ]
  if (status === 429 || status >= 500)
    return [answers.look(`${host} has trouble now: ${status}.`, 'Run the doctor again in a few minutes.')]
  return [
    answers.wrong(
      `${host} does not answer like ${provider}: ${status}.`,
      'Check MAIL_API_BASE_URL. Unset, it is the address of the provider.',
    ),
  ]
}

const keyAdvice = {
  resend: 'Make a key at resend.com/api-keys that may send, and put it into MAIL_API_KEY.',
  postmark:
    'Put the token of the server into MAIL_API_KEY, not that of the account: Servers, your server, API Tokens.',
}

/** Resend lists domains to a key with full access. Postmark tells a server's token nothing about senders. */
function judgeSender({ provider }: MailApiAccess, { status, fields }: ApiAnswer, domain: string): Finding[] {
  if (status !== 200 || provider !== 'resend')
    return [sender.unknown(`The key cannot ask if ${domain} is verified.`, 'doctor --send-test YOUR-ADDRESS')]
  const listed: unknown = fields.get('data')
  const domains = (Array.isArray(listed) ? listed : []).map(
    (one: unknown) => new Map(Object.entries(Object(one))),
  )
  const found = domains.find((one) => one.get('name') === domain)
  if (found?.get('status') === 'verified') return [sender.ok(`${domain} is verified at ${provider}.`)]
  return [
    sender.wrong(
      `${domain} is ${found ? 'not verified yet' : 'not a domain of this account'} at ${provider}.`,
      'Add it at resend.com/domains and paste its DNS records, or set MAIL_FROM to an address of a verified domain.',
    ),
  ]
}
