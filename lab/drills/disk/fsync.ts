import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOf, settle } from '../rig/account.ts'
import type { Form, Outcome } from '../rig/drill.ts'
import { isNew, newAddress, signUp } from '../rig/load.ts'
import { untilNothingIsOwed } from '../rig/records.ts'
import { onStage } from '../rig/stage.ts'

const signUps = { short: 20, long: 200 }

/** Checks with strace that each sign-up was synced to disk before its answer. */
export function countSyncs(form: Form): Promise<Outcome | { skipped: string }> {
  return onStage(async (stage) => {
    const { place, mailbox, start } = stage
    const { databaseFile, url, folder } = place
    // Behind the ceiling no delivery is stored meanwhile: every sync seen belongs to a sign-up.
    const held = await start({ environment: { LIMIT_SITE_MAILS_PER_HOUR: '1' } })
    const acknowledged = new Set<string>()
    const first = newAddress()
    if (isNew(await signUp(url, first))) acknowledged.add(first)
    await mailbox.arrival(1)
    await untilNothingIsOwed(databaseFile, 60_000)
    const strace = await attachStrace(held.pid, folder)
    if (typeof strace === 'string') {
      await held.terminate()
      return { skipped: strace }
    }
    const syncs = await signUpOneByOne(url, signUps[form], strace, acknowledged)
    await strace.detach()
    await held.terminate()
    const { counts, broken } = await settle(stage, [await start()], { acknowledged })
    const unsynced = syncs.filter((count) => count < 1).length
    broken.push(...faultsOf(unsynced, `of ${syncs.length} answers went out before any sync`))
    const total = syncs.reduce((sum, count) => sum + count, 0)
    const notes = [
      `${total} fsync/fdatasync for ${syncs.length} sign-ups, at least ${Math.min(...syncs)} each`,
    ]
    return { counts, broken, notes }
  })
}

/** The number of syncs between the request and the answer of each sign-up. */
async function signUpOneByOne(url: string, most: number, strace: Strace, acknowledged: Set<string>) {
  const syncs: number[] = []
  while (syncs.length < most) {
    const before = strace.syncs()
    const address = newAddress()
    if (isNew(await signUp(url, address))) acknowledged.add(address)
    syncs.push(strace.syncs() - before)
  }
  return syncs
}

interface Strace {
  syncs(): number
  /** Resolves once strace has detached: a signal sent to the product earlier may be lost. */
  detach(): Promise<unknown>
}

/** Returns a reason if strace is not available. */
async function attachStrace(pid: number, folder: string): Promise<Strace | string> {
  const file = join(folder, 'syncs.txt')
  const options = ['-f', '-e', 'trace=fsync,fdatasync', '-o', file, '-p', String(pid)]
  const child = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const reason = await attached(child)
  if (reason !== undefined) return reason
  return {
    syncs: () =>
      existsSync(file) ? (readFileSync(file, 'utf8').match(/\bf(?:data)?sync\(/g) ?? []).length : 0,
    detach() {
      const gone = once(child, 'exit')
      child.kill('SIGINT')
      return gone
    },
  }
}

function attached(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (/\battached\b/.test(said)) resolve(undefined)
    })
    child.once('error', () => resolve('strace is not installed'))
    child.once('exit', () => resolve(`strace cannot attach here (${said.trim().split('\n')[0]})`))
  })
}
