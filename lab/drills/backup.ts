import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type ProductPlace, root } from '#rigs/product.ts'
import type { SmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { settleAccounts } from './rig/account.ts'
import { addOutcomes, type Form, type Outcome } from './rig/drill.ts'
import { eventually } from './rig/eventually.ts'
import { Interruptions } from './rig/interruptions.ts'
import { isNew, type Load, signUp, startLoad } from './rig/load.ts'
import { afterTheLeases } from './kill/preloads.ts'
import {
  isOwed,
  readAddresses,
  readDeliveries,
  readDeliveriesAfterCrash,
  untilNothingIsOwed,
} from './rig/records.ts'
import { onStage, type Stage } from './rig/stage.ts'

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
  interruptions.note(readDeliveriesAfterCrash(place), mailbox.mails)

  const backup = backups[round % backups.length]!
  const sent = new Set(mailbox.mails.map(({ messageId }) => messageId))
  const owed = readDeliveries(backup.file).filter(isOwed)
  const sentSince = owed.filter(({ messageId }) => sent.has(messageId)).length
  if (way === 'its files gone')
    for (const ending of ['', '-wal', '-shm']) rmSync(place.databaseFile + ending, { force: true })
  await runOwner(place, 'restore', backup.file)
  const held = readDeliveries(place.databaseFile).filter(({ state }) => state === 'failed')

  const after = await goOn(form, stage, held[0]?.address)
  const settled = settle(place, mailbox, interruptions, {
    acknowledged: new Set([...backup.acknowledged, ...after.acknowledged]),
    held: new Set(held.map(({ address }) => address)),
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
    const owed = new Set(
      readDeliveries(file)
        .filter(isOwed)
        .map(({ messageId }) => messageId),
    )
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
async function goOn(form: Form, { place, mailbox, start }: Stage, heldBack: string | undefined) {
  const broken: string[] = []
  const product = await start({ preload: afterTheLeases(form) })
  const { acknowledged, finished } = startLoad(place.url, { connections: 4, most: signUpsAfter })
  await finished
  if (acknowledged.size < signUpsAfter) broken.push('sign-ups were not accepted after the restore')
  if (heldBack !== undefined && !isNew(await signUp(place.url, heldBack)))
    broken.push('an address whose mail was held back could not sign up again')
  await untilNothingIsOwed(place.databaseFile, 180_000)
  await product.terminate()
  await mailbox.idle()
  return { acknowledged, broken }
}

/** Settles the restored list alone: sign-ups after the backup are not on it, although they got mail. */
function settle(
  { databaseFile }: ProductPlace,
  mailbox: SmtpInbox,
  interruptions: Interruptions,
  { acknowledged, held }: Record<'acknowledged' | 'held', ReadonlySet<string>>,
) {
  const listed = readAddresses(databaseFile)
  return settleAccounts({
    databaseFile,
    acknowledged,
    bounced: held,
    mails: mailbox.mails.filter(({ to }) => to.every((address) => listed.has(address))),
    interrupted: (messageId) => interruptions.of(messageId),
  })
}

/** Runs the owner's real command line in a process of its own. Throws if it ends with another code than 0. */
async function runOwner({ databaseFile }: ProductPlace, ...words: string[]): Promise<void> {
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, DATABASE_URL: `file:${databaseFile}` }
  await promisify(execFile)(process.execPath, ['owner/command-line/main.ts', ...words], { cwd: root, env })
}
