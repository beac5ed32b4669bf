import { askMailApi, type ApiAnswer, type MailApiAccess } from '#server/transports/mail-api.ts'
import { mailApiProviders } from '#server/transports/mail-api-providers.ts'
import { smtpFailure } from '#server/transports/smtp-failure.ts'
import { type CheckContext, type Finding, type Outcome, type Subject, subject } from '../finding.ts'

const stepMs = 6_000

/** Requests what the key may read, and changes nothing. A sending key of Resend may read nothing, and is recognised by that. */
export async function checkMailApi({ config }: CheckContext, connects: Subject): Promise<Outcome> {
  const { mailApi, senderDomain } = config
  if (!mailApi) return []
  const { host } = new URL(mailApi.baseUrl)
  const { harmlessPath } = mailApiProviders[mailApi.provider]
  try {
    const answer = await askMailApi(mailApi, harmlessPath, { signal: AbortSignal.timeout(stepMs) })
    return [...checkAnswer(host, mailApi, answer, connects), checkSender(mailApi, answer, senderDomain)]
  } catch (cause) {
    return connects.wrong(
      `${host} does not answer: ${smtpFailure(cause).why}.`,
      'Check MAIL_API_BASE_URL, and that this machine may call other hosts by HTTPS.',
    )
  }
}

function checkAnswer(
  host: string,
  { provider }: MailApiAccess,
  { status, fields }: ApiAnswer,
  connects: Subject,
): Finding[] {
  const { code, message } = mailApiProviders[provider].read(fields)
  const answers = connects.ok(`${host} answers.`)
  const login = subject('mail.login')
  if (status === 200) return [answers, login.ok(`${host} knows the key.`)]
  if (code === 'restricted_api_key') return [answers, login.ok(`${host} knows the key, which may only send.`)]
  if ([400, 401, 403].includes(status)) {
    const said = [status, code, message].join(' ').trim()
    return [answers, login.wrong(`${host} refuses the key: ${said}.`, keyAdvice[provider])]
  }
  if (status === 429 || status >= 500)
    return [connects.look(`${host} has trouble now: ${status}.`, 'Run the doctor again in a few minutes.')]
  return [
    connects.wrong(
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
function checkSender({ provider }: MailApiAccess, { status, fields }: ApiAnswer, domain: string): Finding {
  const { ok, wrong, unknown } = subject('mail.sender')
  if (status !== 200 || provider !== 'resend')
    return unknown(`The key cannot ask if ${domain} is verified.`, 'doctor --send-test YOUR-ADDRESS')
  const listed: unknown = fields.get('data')
  const domains = (Array.isArray(listed) ? listed : []).map(
    (one: unknown) => new Map(Object.entries(Object(one))),
  )
  const found = domains.find((one) => one.get('name') === domain)
  if (found?.get('status') === 'verified') return ok(`${domain} is verified at ${provider}.`)
  return wrong(
    `${domain} is ${found ? 'not verified yet' : 'not a domain of this account'} at ${provider}.`,
    'Add it at resend.com/domains and paste its DNS records, or set MAIL_FROM to an address of a verified domain.',
  )
}
