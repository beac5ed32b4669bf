import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type SecurityHeaders, textAnswer } from './answer.ts'

// An import would read all the module's exports, one of which loads Node's fetch: 40 ms and 8 MB at every start.
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')

// Slow clients are cut: headers take 20 s at most, a whole request 60 s, each checked every 5 s; an answer that is not read 60 s.
export const promisedLimits = {
  headersTimeout: 15_000,
  requestTimeout: 55_000,
  answerTimeout: 55_000,
  /** One check finds a client that does not read, and a later one cuts it. */
  unreadCheckInterval: 1_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000, // longer than the minute that proxies keep idle connections
  maxHeaderSize: 16 * 1024,
  maxConnections: 10_000,
  maxRequestsPerSocket: 10_000,
  /** Unanswered requests on one connection. Browsers never send a second one. */
  maxPipelinedRequests: 16,
  /** Time that a stopping server gives requests that have arrived but are not read yet. */
  lastRequestMs: 250,
}
export type ClientLimits = typeof promisedLimits

interface ListenOptions {
  host: string
  port: number
  security: SecurityHeaders
  limits?: ClientLimits | undefined
}

/** Answers every request. Never rejects. */
export type App = (request: IncomingMessage) => Promise<Answer>

/** Limit for reading an unwanted body before the connection is cut. */
const maxUnwantedBytes = 1024 * 1024
const sweepEveryMs = 50

/** Rejects if the address is in use or not available. */
export async function listen(
  app: App,
  { host, port, security, limits = promisedLimits }: ListenOptions,
): Promise<Server> {
  const clients = watchClients(limits)
  const common = { document: Object.entries(security.document), data: Object.entries(security.data) }
  // A request without Host gets its 400 from the app: Node's own answer would lack our headers.
  const server = createServer({ ...limits, requireHostHeader: false }, (request, response) => {
    if (!clients.admits(request.socket)) return
    void app(request).then((answer) => {
      clients.answered(request.socket)
      sendAnswer(request, response, answer, common)
    })
  })
  server.on('connection', clients.watch)
  server.maxConnections = limits.maxConnections
  server.maxRequestsPerSocket = limits.maxRequestsPerSocket
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    sendAnswer(request, response, textAnswer(417, 'Only 100-continue can be expected here.'), common),
  )
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => {
    if (fault.code !== 'ECONNRESET') endWith(socket, statusOfFault[fault.code ?? ''] ?? 400, security)
    else socket.destroy()
  })
  server.on('connect', (_request, socket) => endWith(socket, 405, security, { allow: 'GET, HEAD, POST' }))
  // Above maxRequestsPerSocket. The previous answer asked the client to close.
  server.on('dropRequest', (_request, socket) => socket.destroy())
  server.on('close', clients.stop)
  const listenAt = (address: string) => once(server.listen(port, address), 'listening')
  await listenAt(host).catch((fault: NodeJS.ErrnoException) => {
    // A bare root file system has no /etc/hosts. RFC 6761, 6.3: the name means this machine, whatever the resolver says.
    if (host === 'localhost' && fault.syscall === 'getaddrinfo') return listenAt('127.0.0.1')
    throw fault
  })
  return server
}

/**
 * Answers what is in flight, then accepts nothing more; cuts what is left after `graceMs`. From now on every answer ends its
 * connection. Closing at once would cut requests that have arrived and are not read yet, so they get `lastRequestMs`.
 */
export async function stopListening(
  server: Server,
  graceMs: number,
  { lastRequestMs }: ClientLimits = promisedLimits,
): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await sleep(lastRequestMs)
  const closed = new Promise((resolve) => server.close(resolve))
  // A connection that was busy at the close and is idle now would keep the server for as long as it is kept alive.
  const sweep = setInterval(() => server.closeIdleConnections(), sweepEveryMs)
  await closed
  clearTimeout(cut)
  clearInterval(sweep)
}

interface WatchedSocket extends Socket {
  [unanswered]?: number
  [stalled]?: { taken: number; since: number } | undefined
}

// Properties, since a WeakMap of sockets would cost each sign-up several microseconds in the garbage collector.
const unanswered = Symbol('requests not answered yet')
const stalled = Symbol('bytes that the client had taken when it stopped reading')

/** Cuts connections whose client sends many requests at once, or takes nothing of an answer for too long. */
function watchClients({ answerTimeout, unreadCheckInterval, maxPipelinedRequests }: ClientLimits) {
  const sockets = new Set<WatchedSocket>()

  function cutIfStalled(socket: WatchedSocket, now: number): void {
    const taken = socket.bytesWritten - socket.writableLength
    if (socket.writableLength === 0) socket[stalled] = undefined
    else if (socket[stalled]?.taken !== taken) socket[stalled] = { taken, since: now }
    // Closing would leave the unread bytes in the kernel for minutes.
    else if (now - socket[stalled].since >= answerTimeout) socket.resetAndDestroy()
  }

  const timer = setInterval(() => {
    for (const socket of sockets) cutIfStalled(socket, performance.now())
  }, unreadCheckInterval)
  timer.unref()

  return {
    watch(socket: WatchedSocket): void {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    },
    admits(socket: WatchedSocket): boolean {
      if (socket.destroyed) return false
      const requests = (socket[unanswered] ?? 0) + 1
      socket[unanswered] = requests
      if (requests > maxPipelinedRequests) socket.resetAndDestroy()
      return requests <= maxPipelinedRequests
    },
    answered(socket: WatchedSocket): void {
      socket[unanswered] = (socket[unanswered] ?? 1) - 1
    },
    stop: () => clearInterval(timer),
  }
}

type HeaderList = [name: string, value: string][]

/** If part of the request's body is unread, the connection ends with the answer. `common`: the headers of every answer. */
function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers: own, body, stream }: Answer,
  common: { document: HeaderList; data: HeaderList },
): void {
  if (response.destroyed) return
  if (!request.complete && hasBody(request)) {
    response.setHeader('connection', 'close')
    cutOffUnwantedBody(request)
  }
  // The headers are a list, because merging objects costs each sign-up more than half a microsecond.
  const headers: string[] = []
  for (const [name, value] of Object.entries(own)) headers.push(name, value)
  for (const [name, value] of own['content-type']?.startsWith('text/html') ? common.document : common.data)
    if (own[name] === undefined) headers.push(name, value)
  // Without a length Node sends in chunks: more bytes, and two writes instead of one.
  if (!stream && own['content-length'] === undefined && status !== 204 && status !== 304)
    headers.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(status, headers)
  // A fault breaks the connection, so that the client does not take a part for the whole.
  if (stream) pipeline(stream, response).catch(() => {})
  else response.end(body)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Reads on for a moment, so that the client gets the answer before its connection breaks. */
function cutOffUnwantedBody(request: IncomingMessage): void {
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxUnwantedBytes) request.socket.destroy()
  })
  request.resume()
}

const statusOfFault: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** Answers bytes that Node's parser cannot turn into a request. */
function endWith(
  socket: Duplex,
  status: number,
  { data }: SecurityHeaders,
  more: Record<string, string> = {},
): void {
  // A client that still has to read earlier answers would keep the connection open.
  if (!socket.writable || socket.writableLength > 0) return void socket.destroy()
  const { headers, body } = textAnswer(status, STATUS_CODES[status] ?? '', { ...data, ...more })
  const lines = Object.entries({
    ...headers,
    'content-length': String(body.length),
    connection: 'close',
    date: new Date().toUTCString(),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  )
}
