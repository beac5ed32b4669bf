import { createTransport } from 'nodemailer'
import { smtpFailure } from './smtp-failure.ts'
import { sendsPasswordAbroad } from './smtp-mailer.ts'

/** Connects, greets and, where the URL has a password, signs in; sends nothing. What went wrong, or undefined. */
export async function verifySmtp(url: string, timeoutMs: number): Promise<string | undefined> {
  const transport = createTransport({
    url,
    requireTLS: sendsPasswordAbroad(url),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  try {
    await transport.verify()
    return undefined
  } catch (cause) {
    return smtpFailure(cause).why
  } finally {
    transport.close()
  }
}
