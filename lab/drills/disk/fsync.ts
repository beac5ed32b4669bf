import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { untilNothingIsPending } from '../rig/records.ts'
import { type Form, onStage, Skipped } from '../rig/stage.ts'

const signUps = { short: 20, long: 200 }

/** Checks with strace that each sign-up was synced to disk before its answer. */
export function countSyncs(form: Form) {
  return onStage(async (stage) => {
    const { place, mailbox, start } = stage
    // Behind the ceiling no delivery is stored meanwhile: every sync seen belongs to a sign-up.
    const held = await start({ environment: { LIMIT_SITE_MAILS_PER_HOUR: '1' } })
    await stage.signUp()
    await mailbox.arrival(1)
    await untilNothingIsPending(place.databaseFile)
    const strace = await attachStrace(held.pid, join(place.folder, 'syncs.txt'))
    const counts: number[] = []
    for (let number = 0; number < signUps[form]; number += 1) {
      const before = strace.syncs()
      await stage.signUp()
      counts.push(strace.syncs() - before)
    }
    await strace.detach()
    await held.terminate()
    await stage.settle([await start()])
    const unsynced = counts.filter((count) => count === 0).length
    stage.expectNone(unsynced, `of ${counts.length} answers went out before any sync`)
    const total = counts.reduce((sum, count) => sum + count, 0)
    stage.note(`${total} fsync/fdatasync for ${counts.length} sign-ups, at least ${Math.min(...counts)} each`)
  })
}

async function attachStrace(pid: number, file: string) {
  const options = ['-f', '-e', 'trace=fsync,fdatasync', '-o', file, '-p', String(pid)]
  const child = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit').catch(() => {})
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (/\battached\b/.test(printed)) resolve()
    })
    child.once('error', () => reject(new Skipped('strace is not installed')))
    child.once('exit', () => reject(new Skipped(`strace cannot attach here (${printed.split('\n')[0]})`)))
  })
  return {
    syncs: () =>
      existsSync(file) ? (readFileSync(file, 'utf8').match(/\bf(?:data)?sync\(/g) ?? []).length : 0,
    /** Resolves once strace has detached: a signal sent to the product earlier may be lost. */
    detach() {
      child.kill('SIGINT')
      return exited
    },
  }
}
