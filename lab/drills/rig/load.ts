import { signUpPath } from '#contract/sign-up.ts'
import { eventually } from '#rigs/eventually.ts'
import { type Answer, developmentKey, generateLoad, percentile, signUpRequest } from '#rigs/load.ts'

export interface LoadOptions {
  connections: number
  /** Over all connections. Default: each sends the next request right after an answer. */
  perSecond?: number
  /** Default: until stop. */
  most?: number
}

export type Load = ReturnType<typeof startLoad>

let addresses = 0
const run = Math.random().toString(36).slice(2, 8)

/** An address that has not signed up before. */
export function newAddress(): string {
  addresses += 1
  return `visitor-${addresses}.${run}@drill.example`
}

/** Signs up one new address after the other over each connection. */
export function startLoad(url: string, { most = Infinity, ...options }: LoadOptions) {
  /** Answered with 200 and alreadyExists false. */
  const acknowledged = new Set<string>()
  /** Without an answer: only the database knows if they are on the list. */
  const unanswered: string[] = []
  const refused: Answer[] = []
  const latenciesMs: number[] = []
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
      if (!answer) return void unanswered.push(address)
      latenciesMs.push(ms)
      if (isNew(answer)) acknowledged.add(address)
      else refused.push(answer)
    },
  })
  return {
    ...load,
    acknowledged,
    unanswered,
    refused,
    latenciesMs,
    p99: () => percentile(latenciesMs, 0.99),
    /** Resolves once that many more sign-ups are acknowledged. */
    progress(more: number): Promise<void> {
      const before = acknowledged.size
      return eventually('sign-ups are acknowledged', () => acknowledged.size >= before + more)
    },
  }
}

/** Stops the loads and returns everybody whom they were told is signed up. */
export async function stopAll(loads: readonly Load[]): Promise<Set<string>> {
  await Promise.all(loads.map((load) => load.stop()))
  return new Set(loads.flatMap(({ acknowledged }) => [...acknowledged]))
}

/** Refusals other than 503, which alone is right while the database is away. */
export function wrongAnswers(loads: readonly Load[]): number {
  return loads.flatMap(({ refused }) => refused).filter(({ status }) => status !== 503).length
}

export function isNew({ status, body }: Pick<Answer, 'status' | 'body'>): boolean {
  return status === 200 && JSON.parse(body).alreadyExists === false
}

/** Throws if no complete answer comes. */
export async function signUp(
  url: string,
  email: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const answer = await fetch(url + signUpPath, {
    method: 'POST',
    headers: { ...signUpHeaders, ...headers },
    body: JSON.stringify({ email }),
  })
  return { status: answer.status, body: await answer.text() }
}

export const signUpHeaders = {
  authorization: `Bearer ${developmentKey}`,
  'content-type': 'application/json',
}
