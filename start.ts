// `npm start`: brings the build up to date and runs it, as release and image do.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { buildIfStale } from '#build/build-if-stale.ts'
import { distFolder, isBuildStale, notedInputs } from '#build/inputs.ts'
import { cannotStart } from '#server/start/cannot-start.ts'

const serving = join(import.meta.dirname, '.serving')
/** The number of the process that serves, and whether it stops. */
const processFile = join(serving, 'process')
/** A stop takes less. */
const stopTimeoutMs = 12_000
const tryAgainAfterMs = 50

const isServer = process.argv.length === 2
if (isServer) await prepareToServe()
else await buildIfStale()
const bundle = join(isServer ? join(serving, 'dist') : distFolder, 'server/server.mjs')
await import(pathToFileURL(bundle).href)

/** Changes nothing if a server of this folder is running, or the port is taken. */
async function prepareToServe(): Promise<void> {
  await lockFolder()
  if (isBuildStale()) {
    await checkSettings()
    await buildIfStale()
  }
  takeCopy()
}

/** The server checks them itself. It is loaded here as well only if a build comes before it. */
async function checkSettings(): Promise<void> {
  const { readSettings } = await import('#server/settings/config.ts')
  const { checkPort } = await import('#server/start/check-port.ts')
  const { explainFault } = await import('#server/start/explain-fault.ts')
  const read = readSettings(process.env)
  if ('faults' in read) cannotStart(read.faults)
  await checkPort(read.config).catch((fault) => cannotStart([explainFault(fault, read.config)]))
}

/**
 * Ends the process if a server of this folder is running; waits for one that stops. SQLite's lock
 * is the system's own, so it ends with the process, however that ends.
 */
async function lockFolder(): Promise<void> {
  const lock = openLock()
  process.on('exit', () => lock.close()) // also keeps it from being collected as garbage
  const deadline = Date.now() + stopTimeoutMs
  while (!hasLocked(lock)) {
    const [pid, state] = readFileSync(processFile, { encoding: 'utf8', flag: 'a+' }).split(' ')
    const willChange = state === 'stops' || pid === '' // empty: its number is about to be written
    if (!willChange || Date.now() > deadline) {
      cannotStart([`A server of this folder is running (process ${pid}). Stop it first`])
    }
    await sleep(tryAgainAfterMs)
  }
  writeFileSync(processFile, `${process.pid}`)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      writeFileSync(processFile, `${process.pid} stops`)
      const isStarting = process.listenerCount(signal) === 1 // the server has one as well
      if (isStarting) process.exit(128 + constants.signals[signal])
    })
  }
}

function openLock(): DatabaseSync {
  try {
    mkdirSync(serving, { recursive: true })
    return new DatabaseSync(join(serving, 'lock'))
  } catch (fault) {
    cannotStart([`${serving} cannot be written: ${String(fault)}`])
  }
}

/** Returns false if another process has it. */
function hasLocked(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (fault) {
    if (fault instanceof Error && fault.message === 'database is locked') return false
    cannotStart([`${serving} cannot be written: ${String(fault)}`])
  }
}

/** The server runs from a copy, because `npm test` and others build dist/ again beside it. */
function takeCopy(): void {
  const copy = join(serving, 'dist')
  if (notedInputs(copy) === notedInputs(distFolder)) return
  const unfinished = join(serving, 'unfinished')
  for (const old of [unfinished, copy]) rmSync(old, { recursive: true, force: true })
  cpSync(distFolder, unfinished, { recursive: true })
  renameSync(unfinished, copy)
}
