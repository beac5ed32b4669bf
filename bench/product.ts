import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Product {
  port: number
  url: string
  process: ChildProcess
  stop(): Promise<void>
}

export const root = join(import.meta.dirname, '..')
export const anonKey = 'bench-key'

/** The real server as in production, with its data and its log as files in `folder`. */
export async function startProduct(folder: string, environment: Record<string, string> = {}) {
  const port = await freePort()
  const child = launch([process.execPath, 'server/main.ts'], folder, port, environment)
  await untilListening(port, child)
  return { port, url: `http://localhost:${port}`, process: child, stop: () => stop(child) } satisfies Product
}

export function launch(
  [command = '', ...args]: string[],
  folder: string,
  port: number,
  environment: Record<string, string>,
): ChildProcess {
  const log = openSync(join(folder, 'server.log'), 'a')
  const { PATH, HOME, NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, NODE_OPTIONS } = process.env
  const env = {
    ...{ PATH, HOME, HOST: '127.0.0.1', PORT: String(port), ANON_KEY: anonKey, NODE_ENV: 'production' },
    ...{ NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, NODE_OPTIONS }, // from run.mjs, as in every start
    DATABASE_URL: `file:${join(folder, 'starter-bot.db')}`,
    SMTP_URL: 'smtp://127.0.0.1:9', // nobody is there
    LIMIT_IP_PER_10_MIN: 'off',
    LIMIT_ADDRESS_PER_DAY: 'off',
    ...environment,
  }
  // A group of its own: npm does not hand a SIGTERM on to what it has started.
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', log, log], detached: true })
  closeSync(log)
  process.once('exit', () => end(child))
  child.once('exit', (code) => {
    if (code) console.error(readFileSync(join(folder, 'server.log'), 'utf8').slice(-2000))
  })
  return child
}

export async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  end(child)
  await ended
}

function end(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (process.platform === 'win32') child.kill()
  else process.kill(-child.pid, 'SIGTERM')
}

export async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error('The server did not start')
    await sleep(2)
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
