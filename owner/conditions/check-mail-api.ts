import { askMailApi } from '#server/transports/mail-api.ts'
import { mailApiProviders } from '#server/transports/mail-api-providers.ts'
import { smtpFailure } from '#server/transports/smtp-failure.ts'
import { type CheckContext, type Finding, type Outcome, type Subject, subject } from './finding.ts'

const timeoutMs = 6_000
const login = subject('mail.login')
const sender = subject('mail.sender')

const unreachableAdvice =
  "Check MAIL_API_BASE_URL (if it is unset, the provider's is used), " +
  'and that this machine may call other hosts over HTTPS.'

/**
 * Requests what the key may read, and changes nothing. A sending key of Resend may read nothing,
 * and is recognised by that.
 */
export async function checkMailApi(
  { config }: Pick<CheckContext, 'config'>,
  { ok, wrong }: Subject,
): Promise<Outcome> {
  const { mailApi, senderDomain } = config
  if (!mailApi) return []
  const { host } = new URL(mailApi.baseUrl)
  const { harmlessPath, read } = mailApiProviders[mailApi.provider]
  const signal = AbortSignal.timeout(timeoutMs)
  const answer = await askMailApi(mailApi, harmlessPath, { signal }).catch((cause: unknown) => ({
    cause,
  }))
  if ('cause' in answer) {
    const { why } = smtpFailure(answer.cause)
    return wrong(`${host} does not answer: ${why}.`, unreachableAdvice)
  }

  const { status, fields } = answer
  const { code, message } = read(fields)
  const isRestricted = code === 'restricted_api_key'
  const isRefused = !isRestricted && [400, 401, 403].includes(status)
  if (isRefused) {
    const words = [status, code, message].join(' ').trim()
    const refused = `${host} refuses the key: ${words}.`
    return [ok(`${host} answers.`), login.wrong(refused, keyAdvice[mailApi.provider])]
  }
  if (!isRestricted && status !== 200) {
    return wrong(`${host} answers with status ${status}.`, unreachableAdvice)
  }
  const isDomainShown = !isRestricted && mailApi.provider === 'resend'
  return [
    ok(`${host} answers.`),
    login.ok(`${host} knows the key.`),
    isDomainShown ? checkDomain(fields.get('data'), senderDomain) : unknownDomain(senderDomain),
  ]
}

const keyAdvice = {
  resend: 'Create a key with sending access at resend.com/api-keys, and put it into MAIL_API_KEY.',
  postmark:
    'Put the token of the server into MAIL_API_KEY, not that of the account: ' +
    'Servers, your server, API Tokens.',
}

function unknownDomain(domain: string): Finding {
  return sender.unknown(
    `This key cannot be used to check that ${domain} is verified.`,
    'Send yourself a test: doctor --send-test YOUR-ADDRESS',
  )
}

/** `listed`: the domains of an account at Resend. */
function checkDomain(listed: unknown, domain: string): Finding {
  const found = (Array.isArray(listed) ? listed : []).find(
    (one: unknown) => Object(one).name === domain,
  )
  if (found && Object(found).status === 'verified') {
    return sender.ok(`${domain} is verified at Resend.`)
  }
  return sender.wrong(
    `${domain} is ${found ? 'not verified yet' : 'not a domain of this account'} at Resend.`,
    'Add it at resend.com/domains and paste its DNS records, ' +
      'or set MAIL_FROM to an address of a verified domain.',
  )
}
