import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProductPlace } from '#rigs/product.ts'
import type { SmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { settle } from './rig/account.ts'
import { addOutcomes, type Form, type Outcome } from './rig/drill.ts'
import { eventually } from './rig/eventually.ts'
import { Interruptions } from './rig/interruptions.ts'
import { isNew, type Load, signUp, startLoad } from './rig/load.ts'
import { afterTheLeases } from './rig/preloads.ts'
import { isOwed, readDeliveries, readDeliveriesAfterCrash } from './rig/records.ts'
import { onStage, runOwner, type Stage } from './rig/stage.ts'

type Way = 'over the old database' | 'its files gone'

interface Backup {
  file: string
  /** Acknowledged before the backup began. */
  acknowledged: ReadonlySet<string>
}

const ways: Way[] = ['over the old database', 'its files gone']
const rounds = { short: 1, long: 4 }
const backupsEach = { short: 2, long: 5 }
const signUpsAfter = 20
const perSecond = 250
/** Like a real peer, the mailbox takes a moment to store a mail. */
const afterMs = 20
/** Mails owed in each backup that must be sent before the kill. */
const sentOfEach = 10

/** Makes backups under load, kills the server, restores one backup and goes on, in both ways of restoring. */
export async function restoreBackups(form: Form): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (let round = 0; round < rounds[form]; round += 1)
    outcomes.push(
      ...(await Promise.all(ways.map((way) => onStage((stage) => restoreOne(way, { form, round, stage }))))),
    )
  return addOutcomes(outcomes)
}

async function restoreOne(way: Way, { form, round, stage }: { form: Form; round: number; stage: Stage }) {
  const { place, mailbox } = stage
  const backups = await backUpUnderLoad(stage, backupsEach[form])
  const interruptions = new Interruptions()
  interruptions.note(await readDeliveriesAfterCrash(place), mailbox.mails)

  const backup = backups[round % backups.length]!
  const sent = new Set(mailbox.mails.map(({ messageId }) => messageId))
  const owed = (await readDeliveries(backup.file)).filter(isOwed)
  const sentSince = owed.filter(({ messageId }) => sent.has(messageId)).length
  if (way === 'its files gone')
    for (const ending of ['', '-wal', '-shm']) rmSync(place.databaseFile + ending, { force: true })
  await runOwner(place, 'restore', backup.file)
  const restored = await readDeliveries(place.databaseFile)
  const held = restored.filter(({ state }) => state === 'failed').map(({ address }) => address)

  const product = await stage.start({ preload: afterTheLeases(form) })
  const after = await goOn(place, held[0])
  const settled = await settle(stage, [product], {
    acknowledged: backup.acknowledged.union(after.acknowledged),
    bounced: new Set(held),
    onlyListed: true, // sign-ups after the backup are not on the restored list, although they got mail
    interrupted: (messageId) => interruptions.of(messageId),
    deliveredWithinMs: 180_000,
  })
  const broken = [...settled.broken, ...after.broken]
  if (sentSince === 0) broken.push('no mail went out between backup and kill, so the restore was not tested')
  return {
    counts: settled.counts,
    broken: broken.map((fault) => `${way}: ${fault}`),
    notes: [
      `${way}: ${backup.acknowledged.size} acknowledged before the backup, ${owed.length} mails owed in it, ${sentSince} of them sent before the kill; ${held.length} held back, ${interruptions.total} attempts interrupted`,
    ],
  }
}

/** The server is killed in the end. */
async function backUpUnderLoad({ place, mailbox, start }: Stage, count: number): Promise<Backup[]> {
  mailbox.behave({ does: 'accept', afterMs, most: 0 })
  const product = await start()
  const load = startLoad(place.url, { connections: 16, perSecond })
  const letAllOut = letHalfOut(mailbox, load)
  const backups = await makeBackups(place, load, count).finally(letAllOut)
  for (const { file } of backups) {
    const deliveries = (await readDeliveries(file)).filter(isOwed)
    const owed = new Set(deliveries.map(({ messageId }) => messageId))
    await eventually(
      'mail owed in each backup goes out',
      () => mailbox.mails.filter(({ messageId }) => owed.has(messageId)).length >= sentOfEach,
    )
  }
  await product.kill()
  await load.stop()
  await mailbox.idle()
  return backups
}

async function makeBackups(place: ProductPlace, load: Load, count: number): Promise<Backup[]> {
  const backups: Backup[] = []
  for (let number = 1; number <= count; number += 1) {
    const before = load.acknowledged.size
    await eventually('sign-ups are acknowledged', () => load.acknowledged.size >= before + 50)
    const backup = {
      file: join(place.folder, `backup-${number}.db`),
      acknowledged: new Set(load.acknowledged),
    }
    await runOwner(place, 'backup', backup.file)
    backups.push(backup)
  }
  return backups
}

/** Half as many mails as sign-ups, on any machine. So mail goes out during each backup and is owed in each. */
function letHalfOut(mailbox: SmtpInbox, { acknowledged }: Load): () => Promise<void> {
  let isOver = false
  const pacing = pace()
  async function pace() {
    while (!isOver) {
      mailbox.behave({ does: 'accept', afterMs, most: Math.floor(acknowledged.size / 2) })
      await sleep(10)
    }
  }
  return async () => {
    isOver = true
    await pacing
    mailbox.behave({ does: 'accept', afterMs })
  }
}

/** The restored database serves: sign-ups, one of somebody whose mail is held back among them. */
async function goOn({ url }: ProductPlace, heldBack: string | undefined) {
  const broken: string[] = []
  const { acknowledged, finished } = startLoad(url, { connections: 4, most: signUpsAfter })
  await finished
  if (acknowledged.size < signUpsAfter) broken.push('sign-ups were not accepted after the restore')
  if (heldBack !== undefined && !isNew(await signUp(url, heldBack)))
    broken.push('an address whose mail was held back could not sign up again')
  return { acknowledged, broken }
}
