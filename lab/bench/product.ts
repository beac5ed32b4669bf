import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilListening } from '../rigs/listening.ts'

export interface Product {
  port: number
  url: string
  process: ChildProcess
  stop(): Promise<void>
}

export const root = join(import.meta.dirname, '../..')
export const anonKey = 'bench-key'

/**
 * The real server, with its data and its log as files in `folder`. Without NODE_ENV=production, which refuses the
 * placeholders in content/.
 */
export async function startProduct(folder: string, environment: Record<string, string> = {}) {
  const port = await freePort()
  const child = launch([process.execPath, 'start.ts'], folder, port, environment)
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
    ...{ PATH, HOME, HOST: '127.0.0.1', PORT: String(port), ANON_KEY: anonKey },
    ...{ NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, NODE_OPTIONS }, // from run.mjs, as in every start
    DATABASE_URL: `file:${join(folder, 'starter-bot.db')}`,
    SMTP_URL: 'smtp://127.0.0.1:9', // nobody is there
    LIMIT_IP_PER_10_MIN: 'off',
    LIMIT_ADDRESS_PER_DAY: 'off',
    ...environment,
  }
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', log, 'pipe'] })
  closeSync(log)
  child.stderr?.pipe(process.stderr)
  process.once('exit', () => child.kill())
  return child
}

/** npm ends before the server does, which holds the pipe for as long as it runs. */
export async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill()
  await closed
}
