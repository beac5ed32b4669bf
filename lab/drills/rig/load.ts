import { signUpPath } from '#contract/sign-up.ts'
import { type Answer, developmentKey, generateLoad, signUpRequest } from '#rigs/load.ts'

export interface LoadOptions {
  connections: number
  /** Over all connections. Default: each sends the next request right after an answer. */
  perSecond?: number
  /** Default: until stop. */
  most?: number
}

interface LoadResults {
  /** Answered with 200 and alreadyExists false. */
  acknowledged: Set<string>
  /** Without an answer: only the database knows if they are on the list. */
  unanswered: string[]
  /** Any other answer. */
  refused: (Answer & { address: string })[]
  /** Latencies of answered sign-ups. */
  latenciesMs: number[]
}

export interface Load extends LoadResults {
  finished: Promise<void>
  /** Sends nothing more, and waits for the outstanding answers. */
  stop(): Promise<void>
}

let addresses = 0
const run = Math.random().toString(36).slice(2, 8)

/** An address that has not signed up before. */
export function newAddress(): string {
  addresses += 1
  return `visitor-${addresses}.${run}@drill.example`
}

/** Signs up one new address after the other over each connection. */
export function startLoad(url: string, { most = Infinity, ...options }: LoadOptions): Load {
  const results: LoadResults = { acknowledged: new Set(), unanswered: [], refused: [], latenciesMs: [] }
  let asked = 0
  const load = generateLoad({
    ...options,
    port: Number(new URL(url).port),
    next() {
      if (asked === most) return undefined
      asked += 1
      const address = newAddress()
      return { address, bytes: Buffer.from(signUpRequest(url, address)) }
    },
    onAnswer({ address }, answer, ms) {
      if (!answer) return void results.unanswered.push(address)
      results.latenciesMs.push(ms)
      if (isNew(answer)) results.acknowledged.add(address)
      else results.refused.push({ ...answer, address })
    },
  })
  return { ...results, ...load }
}

export function isNew({ status, body }: Pick<Answer, 'status' | 'body'>): boolean {
  return status === 200 && JSON.parse(body).alreadyExists === false
}

/** Throws if no complete answer comes. */
export async function signUp(url: string, email: string): Promise<{ status: number; body: string }> {
  const answer = await fetch(url + signUpPath, {
    method: 'POST',
    headers: signUpHeaders,
    body: JSON.stringify({ email }),
  })
  return { status: answer.status, body: await answer.text() }
}

export const signUpHeaders = {
  authorization: `Bearer ${developmentKey}`,
  'content-type': 'application/json',
}
