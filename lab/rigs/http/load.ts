import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Dispatcher } from 'undici'
import { signUpPath } from '#contract/sign-up.ts'

/** A request without the origin. */
export type LoadRequest = Dispatcher.DispatchOptions

/** Sends requests over keep-alive connections, each after the answer to the one before. */
interface LoadOptions<Asked extends { request: LoadRequest }> {
  port: number
  connections: number
  /** Over all connections. Default: each sends the next request right after an answer. */
  perSecond?: number | undefined
  /** Returns undefined when nothing is left to ask. */
  next(): Asked | undefined
  /** `answer` is undefined if the connection broke before. `ms` as in `latenciesMs`. */
  onAnswer?(asked: Asked, answer: Answer | undefined, ms: number): void
}

export interface Answer {
  status: number
  retryAfter: string | undefined
  body: string
}

const afterNoAnswerMs = 50
const decodedBelowBytes = 4_096

/** Requests under way. */
export interface Load {
  /**
   * Latency of each answer, counted from the moment its request was due, so that a stall is
   * included.
   */
  latenciesMs: readonly number[]
  /** The latency that 99 of 100 answers stay below. */
  p99(): number
  /** The number of requests without an answer, or with one that is not 200. */
  failed(): number
  finished: Promise<void>
  /** Sends nothing more, and waits for the outstanding answers. */
  stop(): Promise<void>
}

export function generateLoad<Asked extends { request: LoadRequest }>(
  options: LoadOptions<Asked>,
): Load {
  let isStopped = false
  let failed = 0
  const latenciesMs: number[] = []
  const next = () => (isStopped ? undefined : options.next())
  function onAnswer(asked: Asked, answer: Answer | undefined, ms: number) {
    if (answer) latenciesMs.push(ms)
    if (answer?.status !== 200) failed += 1
    options.onAnswer?.(asked, answer, ms)
  }
  const asking = Array.from({ length: options.connections }, (_, index) =>
    keepAsking({ ...options, next, onAnswer }, index),
  )
  const finished = Promise.all(asking).then(() => {})
  return {
    latenciesMs,
    p99: () => percentile(latenciesMs, 0.99),
    failed: () => failed,
    finished,
    stop() {
      isStopped = true
      return finished
    },
  }
}

/** At a fixed rate the connections share the moments at which a request is due, in turn. */
async function keepAsking<Asked extends { request: LoadRequest }>(
  { port, connections, perSecond, next, onAnswer }: LoadOptions<Asked>,
  index: number,
): Promise<void> {
  const everyMs = perSecond === undefined ? 0 : (1000 * connections) / perSecond
  let due = performance.now() + (everyMs * index) / connections
  const client = new Client(`http://127.0.0.1:${port}`) // one connection, opened again if it breaks
  for (;;) {
    if (everyMs === 0) due = performance.now()
    else if (due > performance.now()) await sleep(Math.max(0, due - performance.now()))
    const asked = next()
    if (!asked) break
    const answer = await ask(client, asked.request)
    onAnswer?.(asked, answer, performance.now() - due)
    if (!answer) await sleep(afterNoAnswerMs)
    due += everyMs
  }
  await client.destroy()
}

/** Asks by undici's lowest layer, to take less of the machine than what is measured. */
function ask(client: Client, request: LoadRequest): Promise<Answer | undefined> {
  const chunks: Buffer[] = []
  let status = 0
  let retryAfter: string | undefined
  return new Promise((resolve) => {
    client.dispatch(request, {
      onRequestStart() {}, // undici refuses a handler without it
      onResponseStart(_controller, statusCode, headers) {
        status = statusCode
        retryAfter = headers['retry-after']?.toString()
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve({ status, retryAfter, body: bodyOf(chunks) }),
      onResponseError: () => resolve(undefined), // the connection broke
    })
  })
}

/** A page is not decoded: nobody reads it. */
function bodyOf(chunks: readonly Buffer[]): string {
  const bytes = Buffer.concat(chunks)
  return bytes.length < decodedBelowBytes ? bytes.toString() : ''
}

/** A sign-up as the page sends it, cut down to the headers that are read. */
export function signUpRequest(origin: string, email: string): LoadRequest {
  return {
    method: 'POST',
    path: signUpPath,
    headers: {
      host: new URL(origin).host,
      origin,
      authorization: `Bearer ${developmentKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ email }),
  }
}

/** A visit of the landing page, as a browser asks for it. */
export function pageRequest(origin: string): LoadRequest {
  const headers = { host: new URL(origin).host, accept: 'text/html', 'accept-encoding': 'br' }
  return { method: 'GET', path: '/', headers }
}

/** ANON_KEY's default. */
export const developmentKey = 'starter-bot-development-key'

/** `part` 0.99: the value that 99 of 100 are below. 0 without values. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

export const median = (values: readonly number[]) => percentile(values, 0.5)
