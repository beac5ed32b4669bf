import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilListening } from '../../rigs/listening.ts'

export interface ProductPlace {
  folder: string
  port: number
  url: string
  databaseFile: string
  /** What every start of the product printed, one after the other. */
  logFile: string
}

export interface Product extends ProductPlace {
  pid: number
  /** Resolves when it answers; rejects when it ends before. */
  ready(): Promise<void>
  exited: Promise<{ code: number | null; signal: string | null }>
  kill(): Promise<void>
  terminate(): Promise<{ code: number | null; signal: string | null; ms: number }>
}

export interface StartOptions {
  environment?: Record<string, string>
  /** Modules loaded before the product: how a drill reaches into it without a line in its code. */
  preload?: URL[]
}

export const metricsToken = 'token-of-the-drills-0123456789'

const root = join(import.meta.dirname, '../../..')

/** A place for one product: its folder, and a port that it keeps over restarts. */
export async function findPlace(folder: string): Promise<ProductPlace> {
  const port = await freePort()
  return {
    ...{ folder, port, url: `http://127.0.0.1:${port}` },
    databaseFile: join(folder, 'starter-bot.db'),
    logFile: join(folder, 'product.log'),
  }
}

/** Starts `node server/main.ts` there, the limits per visitor and site off. Does not wait until it answers. */
export function launchProduct(place: ProductPlace, options: StartOptions = {}): Product {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, NODE_OPTIONS } = process.env
  const log = openSync(place.logFile, 'a')
  const env = {
    ...{ PATH, HOME, TMPDIR, HOST: '127.0.0.1', PORT: String(place.port) },
    ...{ NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, NODE_OPTIONS }, // from run.mjs, as in every start
    ...{ DATABASE_URL: `file:${place.databaseFile}`, METRICS_TOKEN: metricsToken },
    ...{ LIMIT_IP_PER_10_MIN: 'off', LIMIT_ADDRESS_PER_DAY: 'off', LIMIT_SITE_MAILS_PER_HOUR: 'off' },
    ...options.environment,
  }
  const preload = (options.preload ?? []).flatMap((module) => ['--import', module.href])
  const child = spawn(process.execPath, [...preload, 'start.ts'], {
    ...{ cwd: root, env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  // A drill that breaks off leaves nothing running.
  const killWithUs = () => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  child.once('exit', () => process.off('exit', killWithUs))
  const exited = exitOf(child)
  return {
    ...place,
    pid: child.pid ?? 0,
    exited,
    ready: () => untilListening(place.port, child, () => readFileSync(place.logFile, 'utf8')),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async terminate() {
      const start = performance.now()
      child.kill('SIGTERM')
      return { ...(await exited), ms: performance.now() - start }
    },
  }
}

/** As launchProduct, and waits until it answers. */
export async function startProduct(place: ProductPlace, options?: StartOptions): Promise<Product> {
  const product = launchProduct(place, options)
  await product.ready()
  return product
}

async function exitOf(child: ChildProcess) {
  const [code, signal]: [number | null, string | null] = await new Promise((resolve) => {
    child.once('exit', (exitCode, exitSignal) => resolve([exitCode, exitSignal]))
  })
  return { code, signal }
}
