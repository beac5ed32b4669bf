import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RunningProduct {
  url: string
  folder: string
  databaseFile: string
  /** Everything it printed so far. */
  printed(): string
  process: ChildProcess
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '..')
const startsWithinMs = 60_000 // it builds first where dist/ is stale

/** Starts the real server (or dev.ts) as its own process, on a free port, with its data in a folder of its own. */
export async function startProduct(
  environment: Record<string, string> = {},
  file = 'server/main.ts',
): Promise<RunningProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-product-'))
  const databaseFile = join(folder, 'starter-bot.db')
  const port = await freePort()
  const { PATH, HOME, TMPDIR } = process.env
  const env = {
    ...{ PATH, HOME, TMPDIR, PORT: String(port), DATABASE_URL: `file:${databaseFile}` },
    LIMIT_IP_PER_10_MIN: 'off',
    ...environment,
  }
  const child = spawn(process.execPath, [file], { cwd: root, env })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const url = `http://localhost:${port}`
  const product: RunningProduct = {
    url,
    folder,
    databaseFile,
    printed: () => output,
    process: child,
    async stop() {
      const diedAlone = child.exitCode !== null || child.signalCode !== null
      if (!diedAlone) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
      if (diedAlone) throw new Error(`The server ended by itself:\n${output}`)
    },
  }
  try {
    await untilReady(product)
  } catch (fault) {
    child.kill('SIGKILL')
    throw fault
  }
  return product
}

async function untilReady({ url, process: child, printed }: RunningProduct): Promise<void> {
  const deadline = Date.now() + startsWithinMs
  while (Date.now() < deadline) {
    if (child.exitCode !== null) break
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
  throw new Error(`The server did not start:\n${printed()}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}
