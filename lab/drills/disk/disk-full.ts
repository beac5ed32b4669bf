import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultsOf, settle } from '../rig/account.ts'
import type { Form, Outcome } from '../rig/drill.ts'
import { eventually } from '../rig/eventually.ts'
import { isNew, newAddress, signUp, startLoad } from '../rig/load.ts'
import { onStage, type Stage } from '../rig/stage.ts'

const diskBytes = 8 * 1024 * 1024
const fullForMs = { short: 1_000, long: 5_000 }
const recoversWithinMs = 10_000

/** The disk fills up under the database, and is emptied again. */
export function fillDisk(form: Form): Promise<Outcome | { skipped: string }> {
  return onStage(async (stage) => {
    const disk = join(stage.place.folder, 'disk')
    mkdirSync(disk)
    const reason = mount(disk)
    if (reason !== undefined) return { skipped: `no small disk can be mounted here (${reason})` }
    try {
      return await fillAndEmpty(stage, disk, form)
    } finally {
      spawnSync('umount', ['--lazy', disk])
    }
  })
}

async function fillAndEmpty(stage: Stage, disk: string, form: Form): Promise<Outcome> {
  const { url } = stage.place
  const database = join(disk, 'starter-bot.db')
  const product = await stage.start({ environment: { DATABASE_URL: `file:${database}` } })
  const load = startLoad(url, { connections: 8, perSecond: 400 })
  await sleep(500)
  const ballast = join(disk, 'ballast')
  fill(ballast)
  await eventually('the full disk is noticed', () => load.refused.length > 0)
  await sleep(fullForMs[form])
  const page = await fetch(url)
  await page.body?.cancel()
  await load.stop()
  rmSync(ballast)
  const recoveryMs = await recover(url, load.acknowledged)
  const { acknowledged, unanswered, refused } = load
  const { counts, broken } = await settle(stage, [product], {
    database,
    acknowledged,
    deliveredWithinMs: 120_000,
  })
  const withoutWait = refused.filter(({ head }) => !/^retry-after: \d/im.test(head))
  broken.push(
    ...faultsOf(refused.filter(({ status }) => status !== 503).length, 'refusals were not 503'),
    ...faultsOf(withoutWait.length, 'refusals had no Retry-After'),
    ...faultsOf(unanswered.length, 'got no answer'),
  )
  if (page.status !== 200) broken.push(`the page answered ${page.status}`)
  if (recoveryMs === undefined) broken.push('it did not recover without a restart')
  return {
    counts,
    broken,
    notes: [
      `${refused.length} sign-ups got 503 with Retry-After, the page ${page.status}`,
      `first sign-up accepted ${((recoveryMs ?? Infinity) / 1000).toFixed(2)} s after there was room again`,
    ],
  }
}

function mount(disk: string): string | undefined {
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', disk])
  if (done.status === 0) return undefined
  return done.error?.message ?? done.stderr.toString().trim().split('\n')[0] ?? 'mount failed'
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const bytes of [64 * 1024, 4096, 512]) writeUntilFull(descriptor, Buffer.alloc(bytes))
  } finally {
    closeSync(descriptor)
  }
}

function writeUntilFull(descriptor: number, block: Buffer): void {
  try {
    for (let written = 0; written < diskBytes; written += block.length) writeSync(descriptor, block)
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'ENOSPC')) throw fault
  }
}

/** Returns the time until the first accepted sign-up, in ms. Undefined: none was accepted. */
async function recover(url: string, acknowledged: Set<string>): Promise<number | undefined> {
  const start = performance.now()
  while (performance.now() - start < recoversWithinMs) {
    const address = newAddress()
    if (isNew(await signUp(url, address))) {
      acknowledged.add(address)
      return performance.now() - start
    }
    await sleep(50)
  }
  return undefined
}
