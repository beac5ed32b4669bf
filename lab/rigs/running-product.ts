import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, untilListening } from './listening.ts'

export interface RunningProduct {
  url: string
  databaseFile: string
  /** Everything it printed so far. */
  printed(): string
  /** Ends the server and keeps its data: what it counted in memory is in the database then. */
  quit(): Promise<void>
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '../..')

/** Starts the real server (or dev.ts) as its own process, on a free port, with its data in a folder of its own. */
export async function startProduct(
  environment: Record<string, string> = {},
  file = 'start.ts',
): Promise<RunningProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-product-'))
  const databaseFile = join(folder, 'starter-bot.db')
  const port = await freePort()
  const { PATH, HOME, TMPDIR } = process.env
  const env = {
    ...{ PATH, HOME, TMPDIR, HOST: '127.0.0.1', PORT: String(port) },
    DATABASE_URL: `file:${databaseFile}`,
    LIMIT_IP_PER_10_MIN: 'off',
    ...environment,
  }
  const child = spawn(process.execPath, [file], { cwd: root, env })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  try {
    await untilListening(port, child, () => output)
  } catch (fault) {
    child.kill('SIGKILL')
    throw fault
  }
  let hasQuit = false
  async function quit(): Promise<void> {
    if (hasQuit) return
    hasQuit = true
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server ended by itself:\n${output}`)
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return {
    url: `http://localhost:${port}`,
    databaseFile,
    printed: () => output,
    quit,
    stop: () => quit().finally(() => rmSync(folder, { recursive: true, force: true })),
  }
}
