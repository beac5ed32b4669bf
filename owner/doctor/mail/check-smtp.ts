import type { NodemailerError } from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection, { type SMTPConnectionCustomAuthContext } from 'nodemailer/lib/smtp-connection'
import { isLoopback } from '#server/configuration/loopback.ts'
import { smtpFailure } from '#server/transports/smtp-failure.ts'
import { type CheckContext, type Finding, type Outcome, type Subject, subject } from '../finding.ts'

const encrypted = subject('mail.encrypted')
const login = subject('mail.login')
const sender = subject('mail.sender')

type Done = (fault?: Error | null) => void

/** Connects, logs in as the server does, and names the sender, but sends no mail. Stops at the first problem. */
export async function checkSmtp({ config }: CheckContext, connects: Subject): Promise<Outcome> {
  const { smtpUrl, mailFrom } = config
  if (smtpUrl === undefined) return connects.ok('Mail goes to the local inbox (SMTP_URL is not set).')
  const url = new URL(smtpUrl)
  const { auth, tls, ...options } = parseConnectionUrl(smtpUrl)
  const connection = openConnection({ requireTLS: !isLoopback(url.hostname), ...options, tls })
  const { promise: broken, reject } = Promise.withResolvers<never>()
  broken.catch(() => {}) // it may break after the last step
  connection.on('error', reject)
  connection.once('end', () => reject(new Error('The server closed the connection')))
  const step = (take: (done: Done) => void) =>
    Promise.race([broken, new Promise<void>((go, stop) => take((fault) => (fault ? stop(fault) : go())))])

  let refused = (why: string) => noAnswer(url, why, connects)
  const answers = connects.ok(`${url.host} answers.`)
  try {
    await step((done) => connection.connect(done))
    refused = (why) => [answers, loginRefused(url, why)]
    if (auth && connection.allowsAuth) await step((done) => connection.login(auth, done))
    refused = (why) => [answers, senderRefused(url, mailFrom.address, why)]
    await step((done) => connection.login({ method: senderMethod, user: mailFrom.address }, done))
    connection.quit()
    return [
      answers,
      checkEncryption(url, connection.secure, tls?.['rejectUnauthorized'] !== false),
      checkLogin(url, auth !== undefined, connection.allowsAuth),
      sender.ok(`${url.host} accepts ${mailFrom.address} as sender.`),
    ]
  } catch (error) {
    const fault: NodemailerError = error instanceof Error ? error : new Error()
    const why = fault.response || smtpFailure(error).why
    if (certificateFault.test(fault.originalCode ?? '')) return [answers, untrusted(url, fault.originalCode)]
    if (fault.command === 'STARTTLS') return [answers, noEncryption(url, why)]
    return fault.response ? refused(why) : noAnswer(url, why, connects)
  } finally {
    connection.close()
  }
}

const certificateFault = /CERT|SELF_SIGNED|LEAF_SIGNATURE|ALTNAME/

/** nodemailer lets a custom login send any command. This one names the sender, then resets. */
const senderMethod = 'SENDER'

async function nameSender({ auth, sendCommand }: SMTPConnectionCustomAuthContext): Promise<void> {
  const { status } = await sendCommand(`MAIL FROM:<${auth.user}>`)
  if (status !== 250) throw new Error('The sender is refused')
  await sendCommand('RSET')
}

const stepMs = 5_000

function openConnection(options: object): SMTPConnection {
  return new SMTPConnection({
    ...options,
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    customAuth: { [senderMethod]: nameSender },
  })
}

function noAnswer({ host }: URL, why: string, connects: Subject): Finding[] {
  return [
    connects.wrong(
      `${host} does not accept our mail: ${why}.`,
      'Check host and port in SMTP_URL: smtps:// goes with port 465, smtp:// with 587. Many networks block port 25.',
    ),
  ]
}

function noEncryption({ host }: URL, why: string): Finding {
  return encrypted.wrong(
    `${host} does not accept our mail: it offers no encryption (${why}), and mail does not leave this machine without it.`,
    'Use smtps:// with port 465, or smtp:// with port 587.',
  )
}

function untrusted({ host, hostname }: URL, why = ''): Finding {
  return encrypted.wrong(
    `${host} does not accept our mail: its certificate cannot be verified (${why}).`,
    `Use the name of its certificate instead of ${hostname} in SMTP_URL. For an authority of your own, set NODE_EXTRA_CA_CERTS to its file.`,
  )
}

function loginRefused({ host }: URL, why: string): Finding {
  return login.wrong(
    `${host} refuses our login: ${why}.`,
    'Check user and password in SMTP_URL; characters such as @ : / # % in them must be percent-encoded (%40 for @).',
  )
}

function senderRefused({ host }: URL, address: string, why: string): Finding {
  return sender.wrong(
    `${host} refuses ${address} as sender: ${why}.`,
    'Confirm the address or its domain at the relay, or set MAIL_FROM to an address that it knows.',
  )
}

function checkEncryption({ host, hostname }: URL, isEncrypted: boolean, isVerified: boolean): Finding {
  if (isEncrypted && isVerified)
    return encrypted.ok(`The connection is encrypted, and the certificate of ${host} is verified.`)
  if (isEncrypted)
    return encrypted.look(
      'The connection is encrypted, but SMTP_URL turns the check of the certificate off.',
      'Remove tls.rejectUnauthorized=false from SMTP_URL: anybody in between could pose as the relay.',
    )
  return isLoopback(hostname)
    ? encrypted.ok(`${host} is this machine, so nothing is encrypted.`)
    : encrypted.look(`Mail goes to ${host} unencrypted.`, 'Use smtps:// with port 465, or port 587.')
}

function checkLogin({ host }: URL, hasPassword: boolean, isOffered: boolean): Finding {
  if (!hasPassword) return login.ok(`${host} accepts mail without a login.`)
  if (isOffered) return login.ok(`${host} accepts our login.`)
  return login.look(
    `${host} does not ask for the password in SMTP_URL.`,
    'Is it the right port? 465 or 587 is for sending mail, 25 is not.',
  )
}
