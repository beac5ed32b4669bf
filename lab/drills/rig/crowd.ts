import { eventually } from '#rigs/eventually.ts'
import { type Answer, generateLoad, type Load, signUpRequest } from '#rigs/http/load.ts'

export interface CrowdOptions {
  connections: number
  /** Over all connections. Default: each sends the next request right after an answer. */
  perSecond?: number
  /** The number of sign-ups. Default: until stop. */
  count?: number
}

/** People who sign up. */
export interface Crowd extends Load {
  /** Answered with 200 and alreadyExists false. A drill adds those whom it signs up itself. */
  acknowledged: Set<string>
  /** People whose sign-up got no answer: only the database knows if they are on the list. */
  unanswered: readonly string[]
  refused: readonly Answer[]
  /** Resolves once that many more sign-ups are acknowledged. */
  progress(more: number): Promise<void>
}

let addresses = 0
const run = Math.random().toString(36).slice(2, 8)

/** An address that has not signed up before. */
export function newAddress(): string {
  addresses += 1
  return `visitor-${addresses}.${run}@drill.example`
}

/** Signs up one new address after the other over each connection. */
export function startCrowd(url: string, { count = Infinity, ...options }: CrowdOptions): Crowd {
  const acknowledged = new Set<string>()
  const unanswered: string[] = []
  const refused: Answer[] = []
  let asked = 0
  const load = generateLoad({
    ...options,
    port: Number(new URL(url).port),
    next() {
      if (asked === count) return undefined
      asked += 1
      const address = newAddress()
      return { address, request: signUpRequest(url, address) }
    },
    onAnswer({ address }, answer) {
      if (!answer) unanswered.push(address)
      else if (answer.status === 200 && !JSON.parse(answer.body).alreadyExists) {
        acknowledged.add(address)
      } else refused.push(answer)
    },
  })
  return {
    ...load,
    acknowledged,
    unanswered,
    refused,
    progress(more) {
      const before = acknowledged.size
      return eventually('sign-ups are acknowledged', () => acknowledged.size >= before + more)
    },
  }
}
