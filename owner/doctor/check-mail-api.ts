import { askMailApi } from '#server/transports/mail-api.ts'
import { mailApiProviders } from '#server/transports/mail-api-providers.ts'
import { smtpFailure } from '#server/transports/smtp-failure.ts'
import { type CheckContext, type Outcome, type Subject, subject } from './finding.ts'

const stepMs = 6_000
const login = subject('mail.login')
const sender = subject('mail.sender')

/**
 * Requests what the key may read, and changes nothing. A sending key of Resend may read nothing,
 * and is recognised by that.
 */
export async function checkMailApi(
  { config }: CheckContext,
  { ok, wrong }: Subject,
): Promise<Outcome> {
  const { mailApi, senderDomain } = config
  if (!mailApi) return []
  const { host } = new URL(mailApi.baseUrl)
  const { harmlessPath, read } = mailApiProviders[mailApi.provider]
  const advice =
    "Check MAIL_API_BASE_URL (unset, it is the provider's), and that this machine may call other hosts by HTTPS."
  const signal = AbortSignal.timeout(stepMs)
  const answer = await askMailApi(mailApi, harmlessPath, { signal }).catch((cause: unknown) => ({
    cause,
  }))
  if ('cause' in answer) {
    return wrong(`${host} does not answer: ${smtpFailure(answer.cause).why}.`, advice)
  }
  const { status, fields } = answer
  const { code, message } = read(fields)
  const isRestricted = code === 'restricted_api_key'
  if (!isRestricted && [400, 401, 403].includes(status)) {
    return [
      ok(`${host} answers.`),
      login.wrong(
        `${host} refuses the key: ${[status, code, message].join(' ').trim()}.`,
        keyAdvice[mailApi.provider],
      ),
    ]
  }
  if (!isRestricted && status !== 200) {
    return wrong(`${host} answers with status ${status}.`, advice)
  }
  const findings = [ok(`${host} answers.`), login.ok(`${host} knows the key.`)]
  if (isRestricted || mailApi.provider === 'postmark') {
    return [
      ...findings,
      sender.unknown(`The key cannot ask if ${senderDomain} is verified.`, sendTest),
    ]
  }
  return [...findings, checkDomain(fields.get('data'), senderDomain)]
}

const sendTest = 'Send yourself a test: doctor --send-test YOUR-ADDRESS'
const keyAdvice = {
  resend: 'Make a key at resend.com/api-keys that may send, and put it into MAIL_API_KEY.',
  postmark:
    'Put the token of the server into MAIL_API_KEY, not that of the account: Servers, your server, API Tokens.',
}

/** `listed`: the domains of an account at Resend. */
function checkDomain(listed: unknown, domain: string) {
  const found = (Array.isArray(listed) ? listed : []).find(
    (one: unknown) => Object(one).name === domain,
  )
  if (found && Object(found).status === 'verified') {
    return sender.ok(`${domain} is verified at Resend.`)
  }
  return sender.wrong(
    `${domain} is ${found ? 'not verified yet' : 'not a domain of this account'} at Resend.`,
    'Add it at resend.com/domains and paste its DNS records, or set MAIL_FROM to an address of a verified domain.',
  )
}
