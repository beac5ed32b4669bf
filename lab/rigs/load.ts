import { connect, type Socket } from 'node:net'

/** Sends requests over keep-alive connections, each after the answer to the one before. docs/decisions/0033 says why not autocannon. */
export interface LoadOptions<Request extends { bytes: Buffer }> {
  port: number
  connections: number
  /** Over all connections. Left out: each asks again as soon as it is answered. */
  perSecond?: number
  /** Undefined: nothing is left to ask. */
  next(): Request | undefined
  /** `ms` counts from the moment the request was due, so that a stall is not left out. */
  onAnswer(request: Request, answer: Answer, ms: number): void
  /** The connection broke before an answer; a new one is opened. */
  onNoAnswer(request: Request): void
}

export interface Answer {
  status: number
  /** Status line and headers. */
  head: string
  body: string
}

export interface GeneratedLoad {
  finished: Promise<void>
  /** Asks nothing more, and waits for the answers that are still to come. */
  stop(): Promise<void>
}

const afterNoAnswerMs = 50
const decodedBelowBytes = 4_096

export function generateLoad<Request extends { bytes: Buffer }>(
  options: LoadOptions<Request>,
): GeneratedLoad {
  let stopped = false
  const finished = Promise.all(
    Array.from({ length: options.connections }, (_, index) => keepAsking(options, index, () => stopped)),
  ).then(() => {})
  return {
    finished,
    stop() {
      stopped = true
      return finished
    },
  }
}

function keepAsking<Request extends { bytes: Buffer }>(
  { port, connections, perSecond, next, onAnswer, onNoAnswer }: LoadOptions<Request>,
  index: number,
  isStopped: () => boolean,
): Promise<void> {
  const everyMs = perSecond === undefined ? 0 : (1000 * connections) / perSecond
  let due = performance.now() + (everyMs * index) / connections
  let asked: Request | undefined
  let socket: Socket | undefined
  return new Promise((resolve) => {
    const askWhenDue = () => {
      const early = everyMs > 0 ? due - performance.now() : 0
      if (early > 0) setTimeout(ask, early)
      else ask()
    }
    const ask = () => {
      asked = isStopped() ? undefined : next()
      if (!asked) {
        socket?.destroy()
        return resolve()
      }
      if (everyMs === 0) due = performance.now()
      socket ??= openConnection(port, noteAnswer, noteEnd)
      socket.write(asked.bytes)
    }
    const noteAnswer = (answer: Answer) => {
      const request = asked
      asked = undefined
      if (request) onAnswer(request, answer, performance.now() - due)
      // The server ends a connection after so many requests.
      if (/\r\nconnection: close/i.test(answer.head)) socket = undefined
      due += everyMs
      askWhenDue()
    }
    const noteEnd = (ended: Socket) => {
      if (ended !== socket) return
      socket = undefined
      if (!asked) return
      onNoAnswer(asked)
      due += everyMs
      setTimeout(askWhenDue, afterNoAnswerMs)
    }
    askWhenDue()
  })
}

/** Knows as much of HTTP as our servers answer here: Content-Length, nothing in chunks. */
function openConnection(
  port: number,
  onAnswer: (answer: Answer) => void,
  onEnd: (socket: Socket) => void,
): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let received: Buffer[] = []
  let head: string | undefined
  let missingBytes = 0
  socket.on('error', () => {}) // 'close' follows
  socket.on('close', () => onEnd(socket))
  socket.on('data', (chunk: Buffer) => {
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
    const answer = { status: Number(head.slice(9, 12)), head, body: bodyOf(received, head.length + 4) }
    received = []
    head = undefined
    onAnswer(answer)
  })
  return socket
}

/** A page is not decoded: nobody reads it, and decoding would slow the generator down. */
function bodyOf(received: readonly Buffer[], start: number): string {
  const bytes = received.reduce((sum, { length }) => sum + length, 0)
  return bytes < decodedBelowBytes ? Buffer.concat(received).toString('utf8', start) : ''
}

/** `part` 0.99: the value that 99 of 100 stay below. 0 where there are none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
