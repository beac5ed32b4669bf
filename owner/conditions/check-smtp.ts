import type { NodemailerError } from 'nodemailer'
import { isLoopback } from '#server/settings/loopback.ts'
import { answerIn, smtpFailure } from '#server/transports/smtp-failure.ts'
import { createPool } from '#server/transports/smtp-mailer.ts'
import { type CheckContext, type Finding, type Outcome, type Subject, subject } from './finding.ts'

const encrypted = subject('mail.encrypted')
const login = subject('mail.login')
const limits = { timeoutMs: 5_000, finalReplyTimeoutMs: 0 }

/** Connects and logs in as the server does, but sends no mail. */
export async function checkSmtp(
  { config: { smtpUrl, hasLocalInbox } }: Pick<CheckContext, 'config'>,
  connects: Subject,
): Promise<Outcome> {
  if (smtpUrl === undefined) {
    return hasLocalInbox
      ? connects.ok('Mail goes to the local inbox (SMTP_URL is not set).')
      : connects.wrong('No mail service is set up.', 'Enter one at the desk, or set SMTP_URL.')
  }
  const url = new URL(smtpUrl)
  const transport = createPool({ url: smtpUrl, ...limits })
  try {
    await transport.verify()
    const known = url.username === '' ? 'accepts mail without a login' : 'accepts our login'
    return [
      connects.ok(`${url.host} answers.`),
      checkEncryption(url),
      login.ok(`${url.host} ${known}.`),
    ]
  } catch (error) {
    return explain(url, error instanceof Error ? error : new Error(), connects)
  } finally {
    transport.close()
  }
}

const certificateFault = /CERT|SELF_SIGNED|LEAF_SIGNATURE|ALTNAME/

function explain({ host, hostname }: URL, fault: NodemailerError, connects: Subject): Finding {
  const why = answerIn(fault) || smtpFailure(fault).why
  const refused = `${host} does not accept our mail`
  if (certificateFault.test(fault.originalCode ?? '')) {
    return encrypted.wrong(
      `${refused}: its certificate cannot be verified (${fault.originalCode}).`,
      `Use the name of its certificate instead of ${hostname} in SMTP_URL. For an authority of your own, set NODE_EXTRA_CA_CERTS to its file.`,
    )
  }
  if (fault.command === 'STARTTLS') {
    return encrypted.wrong(
      `${refused}: it offers no encryption (${why}), and mail does not leave this machine without it.`,
      'Use smtps:// with port 465, or smtp:// with port 587.',
    )
  }
  if (fault.code === 'EAUTH') {
    return login.wrong(
      `${host} refuses our login: ${why}.`,
      'Check user and password in SMTP_URL; characters such as @ : / # % in them must be percent-encoded (%40 for @).',
    )
  }
  return connects.wrong(
    `${refused}: ${why}.`,
    'Check host and port in SMTP_URL: smtps:// goes with port 465, smtp:// with 587. Where a host blocks these ports, mail can go over HTTPS: set MAIL_API and MAIL_API_KEY instead.',
  )
}

/** The server sends nothing elsewhere without encryption, unless SMTP_URL allows it. */
function checkEncryption({ host, hostname, protocol, searchParams }: URL): Finding {
  if (protocol !== 'smtps:' && isLoopback(hostname)) {
    return encrypted.ok(`${host} is this machine, so nothing needs to be encrypted.`)
  }
  const off = ['tls.rejectUnauthorized', 'requireTLS'].find(
    (name) => searchParams.get(name) === 'false',
  )
  if (off !== undefined) {
    return encrypted.look(
      `Somebody in between could read mail to ${host}.`,
      `Remove ${off}=false from SMTP_URL.`,
    )
  }
  return encrypted.ok(`The connection is encrypted, and the certificate of ${host} is verified.`)
}
