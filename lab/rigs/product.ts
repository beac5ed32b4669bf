import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, untilListening } from './listening.ts'

export interface ProductPlace {
  folder: string
  port: number
  url: string
  databaseFile: string
  /** Everything that the starts of the product printed. */
  logFile: string
}

export interface Exit {
  code: number | null
  signal: string | null
}

export interface Product extends ProductPlace {
  pid: number
  /** Everything that was printed so far. */
  printed(): string
  /** Resident memory; NaN where it cannot be read. */
  residentMb(): number
  exited: Promise<Exit>
  /** Resolves when it listens; rejects when it ends before. */
  ready(): Promise<void>
  kill(): Promise<Exit>
  /** Ends it with SIGTERM; its data stays. */
  terminate(): Promise<Exit & { ms: number }>
  /** Ends it and deletes its folder; throws if it had already ended. */
  stop(): Promise<void>
  /** Ends it at the end of an `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface LaunchOptions {
  environment?: Record<string, string>
  /** Modules loaded before the product: how a drill reaches into it without a line in its code. */
  preload?: URL[]
  /** Instead of the server itself. */
  command?: string[]
}

export const root = join(import.meta.dirname, '../..')

/** A place for one product: its folder, and a port that it keeps over restarts. */
export async function findPlace(
  folder = mkdtempSync(join(tmpdir(), 'starter-bot-product-')),
): Promise<ProductPlace> {
  const port = await freePort()
  return {
    folder,
    port,
    url: `http://localhost:${port}`,
    databaseFile: join(folder, 'starter-bot.db'),
    logFile: join(folder, 'product.log'),
  }
}

/** Starts the real server there as a child process, without a limit per network. Does not wait until it listens. */
export function launchProduct(place: ProductPlace, options: LaunchOptions = {}): Product {
  const preload = (options.preload ?? []).flatMap((module) => ['--import', module.href])
  const [command = '', ...args] = options.command ?? [process.execPath, ...preload, 'start.ts']
  const child = spawnInto(place.logFile, command, args, environmentFor(place, options))
  const exited = exitOf(child)
  const printed = () => readFileSync(place.logFile, 'utf8')
  let wasAsked = false
  async function terminate(): Promise<Exit & { ms: number }> {
    const start = performance.now()
    wasAsked = true
    child.kill('SIGTERM')
    return { ...(await exited), ms: performance.now() - start }
  }
  return {
    ...place,
    pid: child.pid ?? 0,
    printed,
    residentMb: () => residentMb(child.pid),
    exited,
    ready: () => untilListening(place.port, child, printed),
    kill() {
      child.kill('SIGKILL')
      return exited
    },
    terminate,
    async stop() {
      const diedAlone = !wasAsked && (child.exitCode !== null || child.signalCode !== null)
      if (!diedAlone) await terminate()
      const text = printed()
      rmSync(place.folder, { recursive: true, force: true })
      if (diedAlone) throw new Error(`The server ended unexpectedly:\n${text}`)
    },
    [Symbol.asyncDispose]: async () => void (await terminate()),
  }
}

/** As launchProduct, and waits until it listens. */
export async function startProduct(place: ProductPlace, options?: LaunchOptions): Promise<Product> {
  const product = launchProduct(place, options)
  try {
    await product.ready()
    return product
  } catch (fault) {
    await product.kill()
    throw fault
  }
}

/** A run that breaks off leaves nothing running. */
function spawnInto(logFile: string, command: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', log, log] })
  closeSync(log)
  const killWithUs = () => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  child.once('exit', () => process.off('exit', killWithUs))
  return child
}

function environmentFor({ port, databaseFile }: ProductPlace, { environment }: LaunchOptions) {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, NODE_OPTIONS } = process.env
  return {
    PATH,
    HOME,
    TMPDIR,
    // from run.mjs, as in every start
    NODE_COMPILE_CACHE,
    MALLOC_ARENA_MAX,
    NODE_OPTIONS,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: `file:${databaseFile}`,
    LIMIT_IP_PER_10_MIN: 'off',
    ...environment,
  }
}

function residentMb(pid: number | undefined): number {
  try {
    if (process.platform === 'linux')
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
  } catch {
    return NaN
  }
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}
