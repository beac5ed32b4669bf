import { smtpFailure } from '#server/transports/smtp-failure.ts'
import { CommandError } from '../../command-line/command-context.ts'

const timeoutMs = 5_000

/** Sends a request and follows no redirect. Throws a CommandError if there is no answer. */
export async function ask(url: string, request: RequestInit = {}): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  return fetch(url, { ...request, redirect: 'manual', signal }).catch((fault: Error) => {
    throw new CommandError(`${url} does not answer: ${smtpFailure(fault.cause ?? fault).why}.`)
  })
}
