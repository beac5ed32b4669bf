import type { NodemailerError } from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection, { type SMTPConnectionCustomAuthContext } from 'nodemailer/lib/smtp-connection'
import { isLoopback } from '#server/configuration/loopback.ts'
import { smtpFailure } from '#server/transports/smtp-failure.ts'

/** `why`: the server's reply, which may hold an address, or a code. */
export type SmtpExamination =
  | {
      kind: 'takes-mail'
      isEncrypted: boolean
      /** False: SMTP_URL turns the check off. */
      isCertificateVerified: boolean
      login: 'accepted' | 'no password' | 'not offered'
    }
  | { kind: SmtpRefusal; why: string }
export type SmtpRefusal =
  'no-answer' | 'no-encryption' | 'untrusted-certificate' | 'login-refused' | 'sender-refused'

type Done = (fault?: Error | null) => void

/** Connects, logs in as the server does, and names the sender, but sends no mail. Never throws. */
export async function verifySmtp(url: string, sender: string, timeoutMs: number): Promise<SmtpExamination> {
  const { auth, tls, ...options } = parseConnectionUrl(url)
  const connection = openConnection(
    { requireTLS: !isLoopback(new URL(url).hostname), ...options, tls },
    timeoutMs,
  )
  const { promise: broken, reject } = Promise.withResolvers<never>()
  broken.catch(() => {}) // it may break after the last step
  connection.on('error', reject)
  connection.once('end', () => reject(new Error('The server closed the connection')))
  const step = (take: (done: Done) => void) =>
    Promise.race([broken, new Promise<void>((go, stop) => take((fault) => (fault ? stop(fault) : go())))])

  let refused: SmtpRefusal = 'no-answer'
  try {
    await step((done) => connection.connect(done))
    refused = 'login-refused'
    if (auth && connection.allowsAuth) await step((done) => connection.login(auth, done))
    refused = 'sender-refused'
    await step((done) => connection.login({ method: senderMethod, user: sender }, done))
    connection.quit()
    return {
      kind: 'takes-mail',
      isEncrypted: connection.secure,
      isCertificateVerified: tls?.['rejectUnauthorized'] !== false,
      login: !auth ? 'no password' : connection.allowsAuth ? 'accepted' : 'not offered',
    }
  } catch (fault) {
    return explain(refused, fault)
  } finally {
    connection.close()
  }
}

/** nodemailer lets a custom login send any command. This one names the sender, then resets. */
const senderMethod = 'SENDER'

async function nameSender({ auth, sendCommand }: SMTPConnectionCustomAuthContext): Promise<void> {
  const { status } = await sendCommand(`MAIL FROM:<${auth.user}>`)
  if (status !== 250) throw new Error('The sender is refused')
  await sendCommand('RSET')
}

function openConnection(options: object, timeoutMs: number): SMTPConnection {
  return new SMTPConnection({
    ...options,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    customAuth: { [senderMethod]: nameSender },
  })
}

const certificateFault = /CERT|SELF_SIGNED|LEAF_SIGNATURE|ALTNAME/

function explain(refused: SmtpRefusal, fault: unknown): SmtpExamination {
  const {
    response,
    command,
    originalCode = '',
  }: NodemailerError = fault instanceof Error ? fault : new Error()
  const why = response || smtpFailure(fault).why
  if (certificateFault.test(originalCode)) return { kind: 'untrusted-certificate', why: originalCode }
  if (command === 'STARTTLS') return { kind: 'no-encryption', why }
  return { kind: response ? refused : 'no-answer', why }
}
