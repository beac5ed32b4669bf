import { FunctionsClient, FunctionsHttpError, FunctionsRelayError } from '@supabase/functions-js'
import { signUpFunction, type SignUpRequest } from '#contract/sign-up.ts'

/** How a sign-up ended. `refused`: somebody answered, but not with a success. `unreachable`: nobody did. */
export type SignUpOutcome = 'sent' | 'already-on-list' | 'refused' | 'unreachable'

/** Where the function lives and what opens it. */
export interface SignUpBackend {
  /** Without the function's name: `https://…/functions/v1`. */
  functionsUrl: string
  anonKey: string
  timeoutMs?: number
}

const defaultTimeoutMs = 30_000

/** Calls the function once. Never throws; what went wrong is in the console. */
export async function sendSignUp(request: SignUpRequest, backend: SignUpBackend): Promise<SignUpOutcome> {
  try {
    const client = new FunctionsClient(backend.functionsUrl, { headers: credential(backend.anonKey) })
    const answer = await client.invoke<unknown>(signUpFunction, {
      body: { ...request },
      timeout: backend.timeoutMs ?? defaultTimeoutMs,
    })
    if (answer.error !== null) throw answer.error // it comes back as a value, whatever its kind
    return readAnswer(answer.data)
  } catch (error) {
    console.error('The sign-up did not go through.', error)
    return isRefusal(error) ? 'refused' : 'unreachable'
  }
}

/** A publishable key is no token: Supabase takes it as `apikey` alone. */
function credential(anonKey: string): Record<string, string> {
  const isToken = !anonKey.startsWith('sb_publishable_')
  return isToken ? { apikey: anonKey, Authorization: `Bearer ${anonKey}` } : { apikey: anonKey }
}

function readAnswer(answer: unknown): SignUpOutcome {
  if (typeof answer !== 'object' || answer === null || ('error' in answer && answer.error))
    throw new UnexpectedAnswer('The function answered without a success.', { cause: answer })
  return 'alreadyExists' in answer && answer.alreadyExists === true ? 'already-on-list' : 'sent'
}

class UnexpectedAnswer extends Error {
  override name = 'UnexpectedAnswer'
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof FunctionsHttpError ||
    error instanceof FunctionsRelayError ||
    error instanceof UnexpectedAnswer ||
    error instanceof SyntaxError // a whole answer that is no JSON
  )
}
