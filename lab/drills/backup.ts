import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '#rigs/eventually.ts'
import { runOwnerCommand } from '#rigs/product.ts'
import { isPending, readDeliveries } from './rig/records.ts'
import {
  afterTheLeases,
  type Form,
  onStage,
  type Outcome,
  type Site,
  type Stage,
} from './rig/stage.ts'

interface Backup {
  file: string
  /** Acknowledged before the backup began. */
  acknowledged: ReadonlySet<string>
}

const ways = ['over the old database', 'its files gone'] as const
const backups = { short: 1, long: 5 }
const signUpsAfter = 20
/** Until the last backup the mailbox is slow, so that mail is pending in each. */
const slowMs = 1_000
const quickMs = 30
const signUpsPerSecond = { short: 40, long: 250 }
/** Mails pending in each backup that must be sent before the kill. */
const sentOfEach = 10

/**
 * Makes backups under load, kills the server, restores one backup and goes on, in both ways of
 * restoring.
 */
export function restoreBackups(form: Form): Promise<Outcome[]> {
  return Promise.all(
    ways.map((way) => onStage((stage) => restoreOne(stage, way, form), `${way}: `)),
  )
}

async function restoreOne(stage: Stage, way: (typeof ways)[number], form: Form) {
  const { site, mailbox } = stage
  const { all, acknowledged: beforeKill } = await backUpUnderLoad(stage, form)
  await stage.noteInterruptions()
  const backup = all[Math.floor(all.length / 2)]!
  const sent = new Set(mailbox.mails.map(({ messageId }) => messageId))
  const pending = (await readDeliveries(backup.file)).filter(isPending)
  const sentSince = pending.filter(({ messageId }) => sent.has(messageId)).length
  stage.expect(
    sentSince > 0,
    'no mail went out between backup and kill, so the restore was not tested',
  )

  if (way === 'its files gone') {
    for (const ending of ['', '-wal', '-shm']) rmSync(site.databaseFile + ending, { force: true })
  }
  await runOwner(site, 'restore', backup.file)
  const restored = await readDeliveries(site.databaseFile)
  const held = restored.filter(({ state }) => state === 'held').map(({ address }) => address)

  const product = await stage.site.start({ preload: afterTheLeases(form) })
  const after = stage.crowd({ connections: 4, count: signUpsAfter })
  await after.finished
  stage.expect(after.acknowledged.size === signUpsAfter, 'sign-ups were refused after the restore')
  // Without the replaced database nobody knows who signed up after the backup, although they got
  // mail.
  const isForgotten = way === 'its files gone'
  const known = isForgotten ? backup.acknowledged : beforeKill
  await stage.settle([product], {
    acknowledged: known.union(after.acknowledged),
    unsent: new Set(held),
    onlyListed: isForgotten,
  })
  stage.note(
    `${way}: ${backup.acknowledged.size} acknowledged before the backup, ${pending.length} mails pending in it, ${sentSince} of them sent before the kill; ${held.length} held back, ${stage.interrupted()} attempts interrupted`,
  )
}

async function runOwner({ databaseFile }: Site, ...words: string[]): Promise<void> {
  await runOwnerCommand({ DATABASE_URL: `file:${databaseFile}` }, ...words)
}

/** The server is killed in the end. */
async function backUpUnderLoad(stage: Stage, form: Form) {
  const { site, mailbox } = stage
  mailbox.behave({ does: 'accept', afterMs: slowMs })
  const product = await site.start()
  const crowd = stage.crowd({ connections: 16, perSecond: signUpsPerSecond[form] })
  const all: Backup[] = []
  for (let number = 1; number <= backups[form]; number += 1) {
    await crowd.progress(50)
    const file = join(site.folder, `backup-${number}.db`)
    all.push({ file, acknowledged: new Set(crowd.acknowledged) })
    await runOwner(site, 'backup', file)
  }
  mailbox.behave({ does: 'accept', afterMs: quickMs })
  for (const { file } of all) {
    const pending = new Set(
      (await readDeliveries(file)).filter(isPending).map(({ messageId }) => messageId),
    )
    const sent = () => mailbox.mails.filter(({ messageId }) => pending.has(messageId)).length
    await eventually('mail pending in each backup goes out', () => sent() >= sentOfEach)
  }
  await product.kill()
  await crowd.stop()
  return { all, acknowledged: crowd.acknowledged }
}
