import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'

// A client that sends slowly is cut: headers within 20 s, the whole request within 60 s, both looked at every 5 s.
const clientLimits = {
  headersTimeout: 15_000,
  requestTimeout: 55_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000, // longer than the minute that proxies keep idle connections
  maxHeaderSize: 16 * 1024,
}
export type ClientLimits = typeof clientLimits

/** Throws where the address cannot be had. */
export async function listen(
  app: RequestListener,
  host: string,
  port: number,
  limits: ClientLimits = clientLimits,
): Promise<Server> {
  const server = createServer(limits, app)
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

/** Takes no new connections, answers what is in flight, for `graceMs` at most. */
export async function stopListening(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(cut)
}
