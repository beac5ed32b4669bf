import { createTransport } from 'nodemailer'
import { isLoopback } from '../settings/hosts.ts'
import { forNodemailer, type Mailer, type NodemailerOptions } from './mailer.ts'
import { type Attempt, createRelayMailer, type RelayOptions } from './relay-mailer.ts'

export interface SmtpMailerOptions extends RelayOptions {
  /** smtp://user:password@host:587 or smtps://… */
  url: string
  dkim?: { domain: string; selector: string; privateKey: string } | undefined
}

interface WatchedMail extends NodemailerOptions {
  onProgress?: Attempt['onProgress']
}

/** Mail over SMTP. nodemailer stays behind this function. */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const pool = createPool(options)
  return createRelayMailer(
    options,
    async (message, { signal, onProgress }) => {
      const mail: WatchedMail = { ...forNodemailer(message), signal, onProgress }
      const { response } = await pool.sendMail(mail)
      return { kind: 'accepted', reply: response }
    },
    () => pool.close(),
  )
}

export function createPool({ url, timeoutMs, finalReplyTimeoutMs, dkim }: SmtpMailerOptions) {
  const transport = createTransport({
    pool: true,
    // The URL's own query (?requireTLS=false) overrides the options below.
    url,
    requireTLS: !isLoopback(new URL(url).hostname), // on this machine nobody can read it on the way
    // The worker decides how many mails are sent at once. A mail that the relay does not answer
    // keeps its connection for minutes.
    maxConnections: Infinity,
    // For a connection that turns out to be closed before the mail was sent over it. The worker
    // retries everything else.
    maxRequeues: 1,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs + finalReplyTimeoutMs,
    ...(dkim && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: dkim.privateKey,
        // RFC 8058 4: the signature must cover both List headers; nodemailer's own choice leaves
        // the second out.
        headerFieldNames:
          'From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:List-Unsubscribe:List-Unsubscribe-Post:Auto-Submitted',
      },
    }),
  })
  transport.use('stream', ({ data, message }, done) => {
    const { onProgress }: WatchedMail = data
    if (onProgress && message) {
      const read = message.createReadStream.bind(message)
      message.createReadStream = (streamOptions) => {
        // nodemailer opens the body once it is connected and signed in, right before MAIL FROM, and
        // reads it after the server's 354.
        onProgress('mail-begun')
        return read(streamOptions).once('end', () => onProgress('body-sent'))
      }
    }
    done()
  })
  return transport
}
