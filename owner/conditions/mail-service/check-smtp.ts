import type { NodemailerError } from 'nodemailer'
import { isLoopback } from '#server/settings/hosts.ts'
import { explainNetworkFault, networkFaults } from '#owner/acts/network-faults.ts'
import { endOfPasswords, isEndOfPasswords } from '#owner/mail/reasons.ts'
import { answerIn, smtpFailure } from '#server/transports/smtp-failure.ts'
import { createPool } from '#server/transports/smtp-mailer.ts'
import type { MailServiceContext, Outcome } from '../check-context.ts'
import { about, type Condition } from '../condition.ts'

const connects = about('mail.connects')
const encrypted = about('mail.encrypted')
const login = about('mail.login')
const place = 'mail-service'

/** Connects and logs in as the server does, but sends no mail. */
export async function checkSmtp({
  config,
  settings,
  answerMs = 5_000,
}: MailServiceContext): Promise<Outcome> {
  const { smtpUrl } = config
  if (smtpUrl === undefined) return []
  const url = new URL(smtpUrl)
  const transport = createPool({ url: smtpUrl, timeoutMs: answerMs, finalReplyTimeoutMs: 0 })
  try {
    await transport.verify()
    const known = url.username === '' ? 'accepts mail without a login' : 'accepts the login'
    return [
      connects.fine(`${url.host} answers.`),
      checkEncryption(url),
      login.fine(`${url.host} ${known}.`),
    ]
  } catch (error) {
    const fault = error instanceof Error ? error : new Error()
    return settings.fixed.has('SMTP_URL')
      ? explain(url, fault, variable)
      : explain(url, fault, fields)
  } finally {
    transport.close()
  }
}

/** Advice where the environment names the server. */
const variable = {
  certificate: (hostname: string) =>
    `Use the name of its certificate instead of ${hostname} in SMTP_URL. For an authority of your own, set NODE_EXTRA_CA_CERTS to its file.`,
  encryption: 'Use smtps:// with port 465 in SMTP_URL, or smtp:// with port 587.',
  login:
    'Check user and password in SMTP_URL; characters such as @ : / # % in them must be percent-encoded (%40 for @).',
  connection:
    'Check host and port in SMTP_URL: smtps:// goes with port 465, smtp:// with 587. Where a host blocks these ports, mail can go over HTTPS: set MAIL_API and MAIL_API_KEY instead.',
}

/** Advice where the desk does. */
const fields: typeof variable = {
  certificate: (hostname) =>
    `Enter the name of its certificate in the field Host under Mail service, instead of ${hostname}.`,
  encryption: 'Enter 465 or 587 in the field Port under Mail service.',
  login:
    "Check user and password under Mail service. Many providers want a password made for programs: make one in your provider's account, enter it, and test again.",
  connection:
    'Check host and port under Mail service: 465 or 587. Where a host blocks these ports, use Resend or Postmark, which go over HTTPS.',
}

function explain(
  { host, hostname }: URL,
  fault: NodemailerError,
  advice: typeof variable,
): Condition {
  const { why: code } = smtpFailure(fault)
  const why = answerIn(fault) || code
  const refused = `${host} does not accept our mail`
  const inWords = `${refused}: ${explainNetworkFault(why) ?? why}.`
  if (networkFaults.certificate.codes.test(code)) {
    return encrypted.error(inWords, advice.certificate(hostname), { place })
  }
  if (fault.command === 'STARTTLS') {
    return encrypted.error(
      `${refused}: it offers no encryption (${why}), and mail does not leave this machine without it.`,
      advice.encryption,
      { place },
    )
  }
  if (isEndOfPasswords(why)) {
    return login.error(`${host} takes no password any more: ${why}.`, endOfPasswords, { place })
  }
  if (fault.code === 'EAUTH') {
    return login.error(`${host} rejected the password: ${why}.`, advice.login, { place })
  }
  return connects.error(inWords, advice.connection, { place })
}

/** The server sends nothing elsewhere without encryption, unless SMTP_URL allows it. */
function checkEncryption({ host, hostname, protocol, searchParams }: URL): Condition {
  if (protocol !== 'smtps:' && isLoopback(hostname)) {
    return encrypted.fine(`${host} is this machine, so nothing needs to be encrypted.`)
  }
  const off = ['tls.rejectUnauthorized', 'requireTLS'].find(
    (name) => searchParams.get(name) === 'false',
  )
  if (off !== undefined) {
    return encrypted.warning(
      `Somebody in between could read mail to ${host}.`,
      `Remove ${off}=false from SMTP_URL.`,
    )
  }
  return encrypted.fine(`The connection is encrypted, and the certificate of ${host} is verified.`)
}
