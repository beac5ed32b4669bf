import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpPath } from '#contract/sign-up.ts'

/**
 * Sends requests over keep-alive connections, each after the answer to the one before.
 * docs/decisions/0020 says why not autocannon.
 */
interface LoadOptions<Request extends { bytes: Buffer }> {
  port: number
  connections: number
  /** Over all connections. Default: each sends the next request right after an answer. */
  perSecond?: number | undefined
  /** Returns undefined when nothing is left to ask. */
  next(): Request | undefined
  /**
   * `answer` is undefined if the connection broke before; a new one is opened. `ms` as in
   * `latenciesMs`.
   */
  onAnswer?(request: Request, answer: Answer | undefined, ms: number): void
}

export interface Answer {
  status: number
  /** Status line and headers. */
  head: string
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

export function generateLoad<Request extends { bytes: Buffer }>(
  options: LoadOptions<Request>,
): Load {
  let isStopped = false
  let failed = 0
  const latenciesMs: number[] = []
  const next = () => (isStopped ? undefined : options.next())
  function onAnswer(request: Request, answer: Answer | undefined, ms: number) {
    if (answer) latenciesMs.push(ms)
    if (answer?.status !== 200) failed += 1
    options.onAnswer?.(request, answer, ms)
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
async function keepAsking<Request extends { bytes: Buffer }>(
  { port, connections, perSecond, next, onAnswer }: LoadOptions<Request>,
  index: number,
): Promise<void> {
  const everyMs = perSecond === undefined ? 0 : (1000 * connections) / perSecond
  let due = performance.now() + (everyMs * index) / connections
  let connection: Connection | undefined
  for (;;) {
    if (everyMs === 0) due = performance.now()
    else if (due > performance.now()) await sleep(Math.max(0, due - performance.now()))
    const request = next()
    if (!request) break
    if (!connection || connection.isClosed()) connection = openConnection(port)
    const answer = await connection.ask(request.bytes)
    onAnswer?.(request, answer, performance.now() - due)
    if (!answer) await sleep(afterNoAnswerMs)
    // The server ends a connection after its limit of requests.
    if (!answer || /\r\nconnection: close/i.test(answer.head)) connection = undefined
    due += everyMs
  }
  connection?.end()
}

interface Connection {
  /** Resolves to undefined if the connection broke before a whole answer came. */
  ask(request: Buffer): Promise<Answer | undefined>
  isClosed(): boolean
  end(): void
}

function openConnection(port: number): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let settle: (answer?: Answer) => void = () => {}
  socket.on('error', () => {}) // 'close' follows
  socket.on('close', () => settle())
  socket.on(
    'data',
    makeReceiver((answer) => settle(answer)),
  )
  return {
    ask(request) {
      socket.write(request)
      return new Promise((resolve) => (settle = resolve))
    },
    isClosed: () => socket.destroyed,
    end: () => socket.destroy(),
  }
}

/** Parses only the HTTP that our servers send here: Content-Length, no chunks. */
function makeReceiver(onAnswer: (answer: Answer) => void): (chunk: Buffer) => void {
  let received: Buffer[] = []
  let head: string | undefined
  let missingBytes = 0
  return (chunk) => {
    received.push(chunk)
    missingBytes -= chunk.length
    if (head === undefined) {
      const bytes = received.length === 1 ? chunk : Buffer.concat(received)
      received = [bytes]
      const headEnd = bytes.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      head = bytes.toString('latin1', 0, headEnd)
      const bodyLength = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      missingBytes = headEnd + 4 + bodyLength - bytes.length
    }
    if (missingBytes > 0) return
    const answer = {
      status: Number(head.slice(9, 12)),
      head,
      body: bodyOf(received, head.length + 4),
    }
    received = []
    head = undefined
    onAnswer(answer)
  }
}

/** A page is not decoded: nobody reads it, and decoding would slow the generator down. */
function bodyOf(received: readonly Buffer[], start: number): string {
  const bytes = received.reduce((sum, { length }) => sum + length, 0)
  return bytes < decodedBelowBytes ? Buffer.concat(received).toString('utf8', start) : ''
}

/** A sign-up as the page sends it, cut down to the headers that are read. */
export function signUpRequest(origin: string, email: string): string {
  const body = JSON.stringify({ email })
  return [
    `POST ${signUpPath} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    `Origin: ${origin}`,
    `Authorization: Bearer ${developmentKey}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** A visit of the landing page, as a browser asks for it. */
export function pageRequest(origin: string): string {
  return [
    'GET / HTTP/1.1',
    `Host: ${new URL(origin).host}`,
    'Accept: text/html',
    'Accept-Encoding: br',
    '',
    '',
  ].join('\r\n')
}

/** ANON_KEY's default. */
export const developmentKey = 'starter-bot-development-key'

/** `part` 0.99: the value that 99 of 100 are below. 0 without values. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

export const median = (values: readonly number[]) => percentile(values, 0.5)
