import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildIfStale } from '#build/build-if-stale.ts'
import { freePort, untilListening } from './listening.ts'

/** A folder for one product, and a port that it keeps over restarts. */
export interface Installation {
  folder: string
  port: number
  url: string
  databaseFile: string
  /** Everything that the starts of the product printed. */
  logFile: string
}

/** The end of a process. */
export interface Exit {
  /** Null: a signal ended it. */
  code: number | null
}

/** A product in a process of its own. Disposing of it ends it and keeps its data. */
export interface Product extends Installation, AsyncDisposable {
  exited: Promise<Exit>
  /** Everything that was printed so far. */
  printed(): string
  /** Resident memory, with that of the process that draws. */
  residentMb(): number
  /** The id of the process that draws, if there is one. */
  drawingProcess(): number | undefined
  /** Resolves when it listens; rejects when it ends before. */
  ready(): Promise<void>
  /** Ends it with SIGKILL. */
  kill(): Promise<Exit>
  /** Ends it with SIGTERM; its data stays. `ms`: how long that took. */
  terminate(): Promise<Exit & { ms: number }>
  /** Ends it and deletes its folder; throws if it had already ended. */
  stop(): Promise<void>
}

export interface LaunchOptions {
  environment?: Record<string, string>
  /** Modules loaded before the product: how a drill reaches into it without a line in its code. */
  preload?: URL[]
  /** Instead of the server itself, in its checkout. */
  command?: string[]
  /** The folder of another checkout, whose server is started by its own run.mjs. */
  checkout?: string
}

export const root = join(import.meta.dirname, '../..')
/** To be preloaded: the product asks no DNS server. */
export const noDns = new URL('no-dns.ts', import.meta.url)

/**
 * Brings the build up to date: what is launched is its server, because `npm start` runs once in a
 * folder.
 */
export async function newInstallation(
  folder = mkdtempSync(join(tmpdir(), 'starter-bot-product-')),
): Promise<Installation> {
  await buildIfStale()
  const port = await freePort()
  return {
    folder,
    port,
    url: `http://localhost:${port}`,
    databaseFile: join(folder, 'starter-bot.db'),
    logFile: join(folder, 'product.log'),
  }
}

/**
 * Starts the real server there as a child process, without a limit per network. Does not wait until
 * it listens.
 */
export function launchProduct(installation: Installation, options: LaunchOptions = {}): Product {
  const env = environmentFor(installation, options)
  const child = spawnInto(installation.logFile, commandOf(options), env, options.checkout)
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => ({ code: code ?? null }))
  const printed = () => readFileSync(installation.logFile, 'utf8')
  let wasAsked = false
  async function terminate() {
    const start = performance.now()
    wasAsked = true
    child.kill('SIGTERM')
    return { ...(await exited), ms: performance.now() - start }
  }
  return {
    ...installation,
    exited,
    printed,
    residentMb: () => processesOf(child.pid).reduce((sum, { mb }) => sum + mb, 0),
    drawingProcess: () => processesOf(child.pid).find(({ id }) => id !== child.pid)?.id,
    ready: () => untilListening(installation.port, child, printed),
    kill() {
      child.kill('SIGKILL')
      return exited
    },
    terminate,
    async stop() {
      const diedAlone = !wasAsked && (child.exitCode !== null || child.signalCode !== null)
      if (!diedAlone) await terminate()
      const text = printed()
      rmSync(installation.folder, { recursive: true, force: true })
      if (diedAlone) throw new Error(`The server ended unexpectedly:\n${text}`)
    },
    [Symbol.asyncDispose]: async () => void (await terminate()),
  }
}

function commandOf({ command, checkout, preload = [] }: LaunchOptions): string[] {
  if (command) return command
  if (checkout !== undefined) return [process.execPath, 'run.mjs', 'start.ts']
  const preloaded = preload.flatMap((module) => ['--import', module.href])
  return [process.execPath, ...preloaded, 'dist/server/server.mjs']
}

/** The command line of the owner's program: the bundle that serves, as in a release. */
export function ownerCommandLine(...words: string[]): string[] {
  return [process.execPath, 'dist/server/server.mjs', 'owner', ...words]
}

/**
 * Runs a command of the owner in a process of its own, and returns what it prints. Throws if it
 * ends with another code than 0. `environment` names the database.
 */
export async function runOwnerCommand(
  environment: { DATABASE_URL: string; [name: string]: string },
  ...words: string[]
): Promise<string> {
  const [program = '', ...args] = ownerCommandLine(...words)
  const env = { ...systemEnvironment(), ...environment }
  const { stdout } = await promisify(execFile)(program, args, { cwd: root, env })
  return stdout
}

/** Launches the product and waits until it listens. */
export async function startProduct(
  installation: Installation,
  options?: LaunchOptions,
): Promise<Product> {
  const product = launchProduct(installation, options)
  try {
    await product.ready()
    return product
  } catch (fault) {
    await product.kill()
    throw fault
  }
}

/** Starts a process that ends with this one, also if a run breaks off. */
function spawnInto(
  logFile: string,
  [command = '', ...args]: string[],
  env: NodeJS.ProcessEnv,
  cwd = root,
) {
  const log = openSync(logFile, 'a', 0o600)
  const child: ChildProcess = spawn(command, args, { cwd, env, stdio: ['ignore', log, log] })
  closeSync(log)
  // Another checkout's run.mjs has to end its server itself.
  const killWithUs = () => void child.kill(cwd === root ? 'SIGKILL' : 'SIGTERM')
  process.once('exit', killWithUs)
  child.once('exit', () => process.off('exit', killWithUs))
  return child
}

function environmentFor({ port, databaseFile }: Installation, { environment }: LaunchOptions) {
  return {
    ...systemEnvironment(),
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: `file:${databaseFile}`,
    LIMIT_IP_PER_10_MIN: 'off',
    ...environment,
  }
}

/** Without the variables of a product that the caller's own environment may set. */
function systemEnvironment() {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }
}

/** The process and those that it started, with their resident memory. */
function processesOf(pid: number | undefined): { id: number; mb: number }[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
  return all
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([id, parent]) => id === pid || parent === pid)
    .map(([id = 0, , kb = 0]) => ({ id, mb: kb / 1024 }))
}
