import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A start may build before, on a busy machine. */
const listensWithinMs = 250_000
const askAgainAfterMs = 2 // also the measuring error of `npm run bench -- start`

/** Lets the server listen on this machine and returns its port: a free one if none is given. */
export async function listenHere(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a string only for a pipe
}

/** An HTTP server of this machine. */
export interface HttpServer {
  url: string
  port: number
  /** Cuts the open connections. */
  close(): Promise<void>
}

export async function serveHttp(listener: RequestListener, port = 0): Promise<HttpServer> {
  const server = createHttpServer(listener)
  const takenPort = await listenHere(server, port)
  async function close() {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${takenPort}`, port: takenPort, close }
}

const firstPort = 15_000
const portCount = 17_000
let lastPort = firstPort + randomInt(portCount)

/**
 * Returns a free port of 127.0.0.1. The system hands out higher ones, and this process goes through
 * its ports in turn, so nobody else gets it before it is used, nor while what used it is restarted.
 */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = firstPort + ((lastPort + 1 - firstPort) % portCount)
  lastPort = port
  if (!(await listenHere(server, port).catch(() => undefined))) return freePort()
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until the product listens, the last step of its start. Throws its output if it ends. */
export async function untilListening(
  port: number,
  child: ChildProcess,
  printed = () => '',
): Promise<void> {
  const deadline = Date.now() + listensWithinMs
  while (!(await answers(port))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (hasEnded || Date.now() > deadline) {
      throw new Error(`${child.spawnfile} did not start:\n${printed().slice(-2000)}`)
    }
    await sleep(askAgainAfterMs)
  }
}

function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  )
  return connected.finally(() => socket.destroy())
}
