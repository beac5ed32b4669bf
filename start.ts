// `npm start`: brings the build up to date and runs it, as release and image do.
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buildIfStale } from '#build/build-if-stale.ts'
import { distFolder, notedInputs } from '#build/inputs.ts'
import { readConfig } from '#server/settings/config.ts'
import { cannotStart, explainFault } from '#server/start/cannot-start.ts'
import { checkPort } from '#server/start/check-port.ts'

const serving = join(import.meta.dirname, '.serving')

const isServer = process.argv.length === 2
if (isServer) await prepareToServe()
else await buildIfStale()
const bundle = join(isServer ? join(serving, 'dist') : distFolder, 'server/server.mjs')
await import(bundle)

/** Changes nothing beside a running server of this folder, or if the port is taken. */
async function prepareToServe(): Promise<void> {
  const read = readConfig(process.env)
  if ('faults' in read) cannotStart(read.faults)
  lockFolder()
  await checkPort(read.config).catch((fault) => cannotStart([explainFault(fault, read.config)]))
  await buildIfStale()
  takeCopy()
}

/**
 * Ends the process if a server of this folder is running. SQLite's lock is the system's own, so it
 * ends with the process, however that ends.
 */
function lockFolder(): void {
  try {
    mkdirSync(serving, { recursive: true })
    const lock = new DatabaseSync(join(serving, 'lock'))
    process.on('exit', () => lock.close()) // also keeps it from being collected as garbage
    lock.exec('begin exclusive')
  } catch (fault) {
    const isLocked = fault instanceof Error && fault.message === 'database is locked'
    cannotStart([
      isLocked
        ? 'A server of this folder is running. Stop it first'
        : `${serving} cannot be written: ${String(fault)}`,
    ])
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
