import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isLoopback } from '../settings/hosts.ts'

/** The limits of one client. Times are ms. The names without a comment are Node's. */
export interface ClientLimits {
  headersTimeout: number
  requestTimeout: number
  connectionsCheckingInterval: number
  keepAliveTimeout: number
  /** Bytes. */
  maxHeaderSize: number
  maxConnections: number
  /** Counts where no proxy stands before us. */
  maxConnectionsPerPeer: number
  maxRequestsPerSocket: number
  /** Unanswered requests on one connection. Browsers never send a second one. */
  maxPipelinedRequests: number
  /** After this a client that takes nothing of an answer is cut. */
  unreadAnswerTimeout: number
  unreadCheckInterval: number
  /** So much is read of a body that nobody wants, before the connection is cut. */
  maxUnwantedBytes: number
}

/**
 * Slow clients are cut: headers take 20 s at most, a whole request 60 s, an unread answer 60 s. The
 * timeouts are shorter, because a client is cut at the next check after them.
 */
export const clientLimits: ClientLimits = {
  headersTimeout: 15_000,
  requestTimeout: 55_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000, // longer than the minute that proxies keep idle connections
  maxHeaderSize: 16 * 1024,
  maxConnections: 10_000,
  maxConnectionsPerPeer: 500,
  maxRequestsPerSocket: 10_000,
  maxPipelinedRequests: 2,
  unreadAnswerTimeout: 55_000,
  unreadCheckInterval: 1_000,
  maxUnwantedBytes: 1024 * 1024,
}

interface Watched {
  /** Answers that wait until the one before them is out. */
  waiting: ServerResponse[]
  /** Bytes that the client had taken when it stopped reading. */
  stalled?: { sentBytes: number; since: number } | undefined
}

/**
 * Cuts connections whose client sends many requests at once, takes nothing of an answer, or holds
 * many connections.
 */
export function limitClients(
  app: FastifyInstance,
  limits: ClientLimits,
  isBehindProxy: boolean,
): void {
  app.server.maxConnections = limits.maxConnections
  app.server.maxRequestsPerSocket = limits.maxRequestsPerSocket
  const sockets = watchSockets(app, isBehindProxy ? Infinity : limits.maxConnectionsPerPeer)

  app.addHook('onRequest', ({ raw }, reply, next) => {
    const watched = sockets.get(raw.socket)
    // Node gives an answer its socket once the kernel has the one before it.
    if (!watched || reply.raw.socket) return next()
    const stillWaiting = watched.waiting.filter((one) => !one.socket && !one.writableFinished)
    watched.waiting = [...stillWaiting, reply.raw]
    const unanswered = watched.waiting.length + 1 // and the one that has the socket
    if (unanswered > limits.maxPipelinedRequests) raw.socket.resetAndDestroy()
    else next()
  })

  // A request whose body is not read: the answer says that the connection ends, and the rest of the
  // body is discarded.
  app.addHook('onSend', ({ raw, headers }, reply, payload, next) => {
    const hasBody =
      headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (!raw.complete && hasBody) {
      void reply.header('connection', 'close')
      discardBody(raw, limits.maxUnwantedBytes)
    }
    next(null, payload)
  })

  const timer = setInterval(() => {
    for (const [socket, watched] of sockets) {
      cutIfStalled(socket, watched, limits.unreadAnswerTimeout)
    }
  }, limits.unreadCheckInterval).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** The open connections. One above `maxPerPeer` is cut. */
function watchSockets(app: FastifyInstance, maxPerPeer: number): ReadonlyMap<Socket, Watched> {
  const sockets = new Map<Socket, Watched>()
  const peers = new Map<string, number>()
  app.server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? ''
    const held = (peers.get(peer) ?? 0) + 1
    if (held > maxPerPeer && !isLoopback(peer)) return socket.resetAndDestroy()
    peers.set(peer, held)
    sockets.set(socket, { waiting: [] })
    socket.once('close', () => {
      sockets.delete(socket)
      const left = (peers.get(peer) ?? 1) - 1
      if (left > 0) peers.set(peer, left)
      else peers.delete(peer)
    })
  })
  return sockets
}

function discardBody(body: IncomingMessage, maxBytes: number): void {
  let length = 0
  body.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBytes) body.socket.destroy()
  })
}

/**
 * Node's `server.timeout` would also cut a request that we are still working on. It closes, too:
 * the kernel then keeps the unread bytes for minutes.
 */
function cutIfStalled(socket: Socket, watched: Watched, timeoutMs: number): void {
  const now = performance.now()
  const sentBytes = socket.bytesWritten - socket.writableLength
  if (socket.writableLength === 0) {
    watched.stalled = undefined
  } else if (watched.stalled?.sentBytes !== sentBytes) {
    watched.stalled = { sentBytes, since: now }
  } else if (now - watched.stalled.since >= timeoutMs) {
    socket.resetAndDestroy()
  }
}
