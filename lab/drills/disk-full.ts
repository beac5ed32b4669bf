import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '#rigs/eventually.ts'
import { type Form, onStage, Skipped, type Stage } from './rig/stage.ts'

const diskBytes = 8 * 1024 * 1024
const fullForMs = { short: 1_000, long: 5_000 }
const signUpsPerSecond = { short: 100, long: 400 }
const recoversWithinMs = { short: 100_000, long: 10_000 }

/** The disk fills up under the database, and is emptied again. */
export function fillDisk(form: Form) {
  return onStage(async (stage) => {
    const disk = join(stage.site.folder, 'disk')
    mkdirSync(disk)
    const mount = ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', disk]
    const { status, error, stderr } = spawnSync('mount', mount, { encoding: 'utf8' })
    if (status !== 0) {
      throw new Skipped(
        `no small disk can be mounted here (${error?.message ?? stderr.split('\n')[0]})`,
      )
    }
    try {
      await fillAndEmpty(stage, disk, form)
    } finally {
      spawnSync('umount', ['--lazy', disk])
    }
  })
}

async function fillAndEmpty(stage: Stage, disk: string, form: Form): Promise<void> {
  const { url } = stage.site
  const database = join(disk, 'starter-bot.db')
  const ballast = join(disk, 'ballast')
  const product = await stage.site.start({ environment: { DATABASE_URL: `file:${database}` } })
  const { unanswered, refused, stop } = stage.crowd({
    connections: 8,
    perSecond: signUpsPerSecond[form],
  })
  await sleep(500)
  spawnSync('dd', ['if=/dev/zero', `of=${ballast}`]) // until the disk is full
  await eventually('the full disk is noticed', () => refused.length > 0)
  await sleep(fullForMs[form])
  const page = await fetch(url)
  await page.body?.cancel()
  await stop()
  rmSync(ballast)
  const freedAt = performance.now()
  await eventually('it recovers without a restart', () => stage.signUp(), recoversWithinMs[form])
  const recoveryMs = performance.now() - freedAt

  await stage.settle([product], { database })
  const withoutWait = refused.filter(({ retryAfter }) => retryAfter === undefined)
  stage.expectNone(withoutWait.length, 'refusals had no Retry-After')
  stage.expectNone(unanswered.length, 'got no answer')
  stage.expect(page.status === 200, `the page answered ${page.status}`)
  stage.note(`${refused.length} sign-ups got 503 with Retry-After, the page ${page.status}`)
  stage.note(
    `first sign-up accepted ${(recoveryMs / 1000).toFixed(2)} s after there was room again`,
  )
}
