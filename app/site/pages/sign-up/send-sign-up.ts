import { FunctionsClient, FunctionsHttpError, FunctionsRelayError } from '@supabase/functions-js'
import {
  receiptsPath,
  type SignUpAccepted,
  signUpFunction,
  type SignUpRequest,
} from '#contract/sign-up.ts'

/** How a call of the function ends. */
export type CallOutcome =
  | SignUpSuccess
  /** An answer came, but not a success. `retryInMs`: the server takes no sign-up until then. */
  | { kind: 'refused'; retryInMs: number | undefined }
  /** No answer came. */
  | { kind: 'unreachable' }

export interface SignUpSuccess {
  kind: 'sent' | 'already-on-list'
  /** The mail was sent again. */
  resent: boolean
  /** How long until the mail can be sent again; undefined if the answer does not say. */
  resendInMs: number | undefined
  /**
   * Answers with the status of the mail. Undefined if this sign-up queued none, or the backend does
   * not tell.
   */
  receiptUrl: string | undefined
}

const timeoutMs = 30_000

interface Backend {
  functionsUrl: string
  anonKey: string
}

/**
 * Calls the function once, with the address alone in the body. Every error is an outcome, and
 * logged: the form would otherwise say "Processing..." for ever.
 */
export async function sendSignUp(
  email: string,
  headers: Record<string, string>,
  backend: Backend,
): Promise<CallOutcome> {
  try {
    return await callFunction(email, headers, backend)
  } catch (error) {
    console.error('The sign-up failed.', error)
    return { kind: 'unreachable' }
  }
}

/** The client returns its errors. An answer may still be one that cannot be read. */
async function callFunction(
  email: string,
  headers: Record<string, string>,
  { functionsUrl, anonKey }: Backend,
): Promise<CallOutcome> {
  const client = new FunctionsClient(functionsUrl, { headers: credential(anonKey) })
  const { data, error, response } = await client.invoke<unknown>(signUpFunction, {
    body: { email } satisfies SignUpRequest,
    headers,
    timeout: timeoutMs,
  })
  const success = error === null ? readAnswer(data, response, functionsUrl) : undefined
  if (success) return success
  console.error('The sign-up failed.', error ?? data)
  if (error !== null && !isRefusal(error)) return { kind: 'unreachable' }
  return { kind: 'refused', retryInMs: response?.status === 429 ? retryIn(response) : undefined }
}

/**
 * Returns the headers for a key. Supabase takes a publishable key, which is not a token, as
 * `apikey` alone.
 */
function credential(anonKey: string): Record<string, string> {
  const isToken = !anonKey.startsWith('sb_publishable_')
  return isToken ? { apikey: anonKey, Authorization: `Bearer ${anonKey}` } : { apikey: anonKey }
}

/** Returns undefined if the answer is not a success. */
function readAnswer(answer: unknown, response: Response | undefined, functionsUrl: string) {
  if (typeof answer !== 'object' || answer === null || ('error' in answer && answer.error)) {
    return undefined
  }
  const { alreadyExists, resentAt, nextResendAt, receipt }: Partial<SignUpAccepted> = answer
  const success: SignUpSuccess = {
    kind: alreadyExists === true ? 'already-on-list' : 'sent',
    resent: typeof resentAt === 'string',
    resendInMs: msUntil(nextResendAt, response?.headers.get('date')),
    receiptUrl: receipt ? new URL(receiptsPath + receipt, functionsUrl).href : undefined,
  }
  return success
}

/** Seconds, or a date (RFC 9110, 10.2.3). Undefined if it is missing or neither. */
function retryIn({ headers }: Response): number | undefined {
  const retryAfter = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000
  return msUntil(retryAfter, headers.get('date'))
}

/** Uses the server's clock if its Date header can be read, because the visitor's may be wrong. */
function msUntil(
  time: string | null | undefined,
  serverTime: string | null | undefined,
): number | undefined {
  const ms = Date.parse(time ?? '') - (Date.parse(serverTime ?? '') || Date.now())
  return Number.isNaN(ms) ? undefined : ms
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof FunctionsHttpError ||
    error instanceof FunctionsRelayError ||
    error instanceof SyntaxError // the whole answer came, but it is not JSON
  )
}
