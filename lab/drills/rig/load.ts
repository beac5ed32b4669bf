import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpPath } from '#contract/sign-up.ts'

export interface LoadOptions {
  connections: number
  /** Over all connections. Left out: each asks again as soon as it is answered. */
  perSecond?: number
  /** Left out: until stop. */
  most?: number
}

interface LoadResults {
  /** Who was told 200 and alreadyExists false. */
  acknowledged: Set<string>
  /** Who got no answer: whether they are on the list only the database knows. */
  unanswered: string[]
  /** Any other answer. */
  refused: { status: number; headers: IncomingHttpHeaders; address: string }[]
  /** Of answered ones, counted from the moment each was due to be sent, so that a stall is not left out. */
  latenciesMs: number[]
}

export interface Load extends LoadResults {
  finished: Promise<void>
  /** Asks nothing more, and waits for the answers that are still to come. */
  stop(): Promise<void>
}

export interface SignUpAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

const afterRefusalMs = 50
let addresses = 0
const run = Math.random().toString(36).slice(2, 8)

/** Nobody signed up with it before. */
export function newAddress(): string {
  addresses += 1
  return `visitor-${addresses}.${run}@drill.example`
}

/** Signs up one new address after the other over each connection. */
export function startLoad(url: string, options: LoadOptions): Load {
  const { connections, perSecond, most = Infinity } = options
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const results: LoadResults = { acknowledged: new Set(), unanswered: [], refused: [], latenciesMs: [] }
  let asked = 0
  let stopped = false
  const everyMs = perSecond === undefined ? 0 : (1000 * connections) / perSecond

  async function ask(connection: number) {
    let due = performance.now() + (everyMs * connection) / connections
    while (!stopped && asked < most) {
      asked += 1
      const early = due - performance.now()
      if (early > 0) await sleep(early)
      if (stopped) return
      if (!(await signUpOne(url, agent, due, results))) await sleep(afterRefusalMs)
      due = everyMs > 0 ? due + everyMs : performance.now()
    }
  }

  const finished = Promise.all(Array.from({ length: connections }, (_, index) => ask(index))).then(() =>
    agent.destroy(),
  )
  return {
    ...results,
    finished,
    async stop() {
      stopped = true
      await finished
    },
  }
}

/** Whether there was an answer. */
async function signUpOne(url: string, agent: Agent, due: number, results: LoadResults): Promise<boolean> {
  const address = newAddress()
  const answer = await signUp(url, address, agent).catch(() => undefined)
  if (!answer) {
    results.unanswered.push(address)
    return false
  }
  results.latenciesMs.push(performance.now() - due)
  const { status, headers } = answer
  if (isNew(answer)) results.acknowledged.add(address)
  else results.refused.push({ status, headers, address })
  return true
}

export function isNew({ status, body }: SignUpAnswer): boolean {
  return status === 200 && JSON.parse(body).alreadyExists === false
}

/** Throws where no whole answer comes. */
export function signUp(url: string, email: string, agent?: Agent): Promise<SignUpAnswer> {
  const body = JSON.stringify({ email })
  const headers = {
    authorization: 'Bearer starter-bot-development-key',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const asking = request(url + signUpPath, { method: 'POST', headers, agent: agent ?? false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }))
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

/** `part` 0.99: the value that 99 of 100 stay below. 0 where there are none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
