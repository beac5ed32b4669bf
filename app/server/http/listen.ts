import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// An import would read all the module exports, one of which loads Node's fetch: 40 ms and 8 MB at every start.
const { createServer } = process.getBuiltinModule('node:http')

// A client that sends slowly is cut: headers within 20 s, the whole request within 60 s, both looked at every 5 s.
export const promisedLimits = {
  headersTimeout: 15_000,
  requestTimeout: 55_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000, // longer than the minute that proxies keep idle connections
  maxHeaderSize: 16 * 1024,
  lastRequestMs: 250, // at the stop: for requests that have come and are not read yet
}
const sweepEveryMs = 50

export type ClientLimits = typeof promisedLimits

/** Throws where the address cannot be had. */
export async function listen(
  app: RequestListener,
  host: string,
  port: number,
  limits: ClientLimits = promisedLimits,
): Promise<Server> {
  const server = createServer(limits, app)
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

/**
 * Answers what is in flight, then takes nothing more; cuts what is left after `graceMs`. From now on every answer ends its
 * connection. Closing at once would cut those whose request has come and is not read yet, so they get `lastRequestMs`.
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
