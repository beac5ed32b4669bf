import { type SmtpExamination, verifySmtp } from './verify-smtp.ts'
import { isLoopback } from '#server/configuration/loopback.ts'
import { type Check, type Finding, type CheckContext, subject } from '../finding.ts'

const connects = subject('mail.connects', 'Until it does, sign-ups are stored and nobody gets the mail.')
const encrypted = subject(
  'mail.encrypted',
  'Without a verified encrypted connection, others can read password and mail.',
)
const login = subject('mail.login', 'A relay accepts no mail from an unknown sender.')
const sender = subject('mail.sender', 'A relay sends for some addresses and refuses the others.')

export const smtpChecks: Check[] = [{ about: connects, run: checkSmtp, limitMs: 30_000 }]

const stepMs = 5_000

/** Stops at the first problem, because later steps were not reached. */
async function checkSmtp({ config }: CheckContext): Promise<Finding[]> {
  const { smtpUrl, mailFrom } = config
  if (config.hasLocalInbox) return [connects.ok('Mail goes to the local inbox (SMTP_URL is not set).')]
  if (smtpUrl === undefined) return [] // the mail API has a separate check
  const url = new URL(smtpUrl)
  const found = await verifySmtp(smtpUrl, mailFrom.address, stepMs)
  const answers = connects.ok(`${url.host} answers.`)
  switch (found.kind) {
    case 'no-answer':
      return [noAnswer(url.host, found.why)]
    case 'no-encryption':
      return [answers, noEncryption(url.host, found.why)]
    case 'untrusted-certificate':
      return [answers, untrusted(url, found.why)]
    case 'login-refused':
      return [answers, loginRefused(url.host, found.why)]
    case 'sender-refused':
      return [answers, senderRefused(url.host, mailFrom.address, found.why)]
    case 'takes-mail': {
      const accepts = sender.ok(`${url.host} accepts ${mailFrom.address} as sender.`)
      return [answers, judgeEncryption(url, found), judgeLogin(url.host, found.login), accepts]
    }
    default:
      return found satisfies never
  }
}

function noAnswer(host: string, why: string): Finding {
  return connects.wrong(
    `${host} does not accept our mail: ${why}.`,
    'Check host and port in SMTP_URL: smtps:// goes with port 465, smtp:// with 587. Many networks block port 25.',
  )
}

function noEncryption(host: string, why: string): Finding {
  return encrypted.wrong(
    `${host} does not accept our mail: it offers no encryption (${why}), and mail does not leave this machine without it.`,
    'Use smtps:// with port 465, or smtp:// with port 587.',
  )
}

function untrusted({ host, hostname }: URL, why: string): Finding {
  return encrypted.wrong(
    `${host} does not accept our mail: its certificate cannot be verified (${why}).`,
    `Use the name of its certificate instead of ${hostname} in SMTP_URL. For an authority of your own, set NODE_EXTRA_CA_CERTS to its file.`,
  )
}

function loginRefused(host: string, why: string): Finding {
  return login.wrong(
    `${host} refuses our login: ${why}.`,
    'Check user and password in SMTP_URL; characters such as @ : / # % in them must be percent-encoded (%40 for @).',
  )
}

function senderRefused(host: string, address: string, why: string): Finding {
  return sender.wrong(
    `${host} refuses ${address} as sender: ${why}.`,
    'Confirm the address or its domain at the relay, or set MAIL_FROM to an address that it knows.',
  )
}

type Examination = Extract<SmtpExamination, { kind: 'takes-mail' }>

function judgeEncryption({ host, hostname }: URL, found: Examination): Finding {
  if (!found.isEncrypted)
    return isLoopback(hostname)
      ? encrypted.ok(`${host} is this machine, so nothing is encrypted.`)
      : encrypted.look(`Mail goes to ${host} unencrypted.`, 'Use smtps:// with port 465, or port 587.')
  if (found.isCertificateVerified)
    return encrypted.ok(`The connection is encrypted, and the certificate of ${host} is verified.`)
  return encrypted.look(
    'The connection is encrypted, but SMTP_URL turns the check of the certificate off.',
    'Remove tls.rejectUnauthorized=false from SMTP_URL: anybody in between could pose as the relay.',
  )
}

function judgeLogin(host: string, outcome: Examination['login']): Finding {
  switch (outcome) {
    case 'accepted':
      return login.ok(`${host} accepts our login.`)
    case 'no password':
      return login.ok(`${host} accepts mail without a login.`)
    case 'not offered':
      return login.look(
        `${host} does not ask for the password in SMTP_URL.`,
        'Is it the right port? 465 or 587 is for sending mail, 25 is not.',
      )
    default:
      return outcome satisfies never
  }
}
