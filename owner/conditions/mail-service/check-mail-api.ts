import { askMailApi } from '#server/transports/mail-api.ts'
import { mailApiProviders } from '#server/transports/mail-api-providers.ts'
import { smtpFailure } from '#server/transports/smtp-failure.ts'
import { explainNetworkFault } from '#owner/acts/network-faults.ts'
import type { CheckContext, MailServiceContext, Outcome } from '../check-context.ts'
import { about, type Condition } from '../condition.ts'

const connects = about('mail.connects')
const login = about('mail.login')
const sender = about('mail.sender')
const place = 'mail-service'

/**
 * Requests what the key may read, and changes nothing. A sending key of Resend may read nothing,
 * and is recognised by that.
 */
export async function checkMailApi({
  config,
  settings,
  answerMs = 6_000,
}: MailServiceContext): Promise<Outcome> {
  const { mailApi, senderDomain } = config
  if (!mailApi) return []
  const { host } = new URL(mailApi.baseUrl)
  const { harmlessPath, read } = mailApiProviders[mailApi.provider]
  const signal = AbortSignal.timeout(answerMs)
  const asking = askMailApi(mailApi, harmlessPath, { signal })
  const answer = await asking.catch((cause: unknown) => ({ cause }))
  if ('cause' in answer) {
    const { why } = smtpFailure(answer.cause)
    const inWords = explainNetworkFault(why) ?? why
    return connects.error(`${host} does not answer: ${inWords}.`, unreachableAdvice(settings))
  }

  const { status, fields } = answer
  const { code, message } = read(fields)
  const isRestricted = code === 'restricted_api_key'
  const isRefused = !isRestricted && [400, 401, 403].includes(status)
  if (isRefused) {
    const words = [status, code, message].join(' ').trim()
    const refused = `${host} refuses the key: ${words}.`
    const where = settings.fixed.has('MAIL_API_KEY')
      ? 'MAIL_API_KEY'
      : 'the field API key under Mail service'
    const advice = keyAdvice[mailApi.provider](where)
    return [connects.fine(`${host} answers.`), login.error(refused, advice, { place })]
  }
  if (!isRestricted && status !== 200) {
    return connects.error(`${host} answers with status ${status}.`, unreachableAdvice(settings))
  }
  const isDomainShown = !isRestricted && mailApi.provider === 'resend'
  return [
    connects.fine(`${host} answers.`),
    login.fine(`${host} knows the key.`),
    isDomainShown ? checkDomain(fields.get('data'), senderDomain) : unknownDomain(senderDomain),
  ]
}

function unreachableAdvice({ fixed }: CheckContext['settings']): string {
  const calls = 'Check that this machine may call other hosts over HTTPS.'
  return fixed.has('MAIL_API_BASE_URL') ? `Check MAIL_API_BASE_URL. ${calls}` : calls
}

/** `where`: the key is entered. */
const keyAdvice = {
  resend: (where: string) =>
    `Create a key with sending access at resend.com/api-keys, and put it into ${where}.`,
  postmark: (where: string) =>
    `Put the token of the server into ${where}, not that of the account: at Postmark under Servers, your server, API Tokens.`,
}

function unknownDomain(domain: string): Condition {
  return sender.notChecked(
    `This key cannot be used to check that ${domain} is verified.`,
    'Press “Send me a test mail”.',
  )
}

/** `listed`: the domains of an account at Resend. */
function checkDomain(listed: unknown, domain: string): Condition {
  const found = (Array.isArray(listed) ? listed : []).find(
    (one: unknown) => Object(one).name === domain,
  )
  if (found && Object(found).status === 'verified') {
    return sender.fine(`${domain} is verified at Resend.`)
  }
  return sender.error(
    `${domain} is ${found ? 'not verified yet' : 'not a domain of this account'} at Resend.`,
    'Add it at resend.com/domains and publish the DNS records it shows, or send from an address of a verified domain.',
    { place },
  )
}
