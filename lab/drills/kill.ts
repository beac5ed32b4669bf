import { setTimeout as sleep } from 'node:timers/promises'
import type { Moment } from './rig/kill-at.ts'
import { afterTheLeases, killAt } from './rig/preloads.ts'
import { isPending } from './rig/records.ts'
import { type Form, onStage, type Outcome, seconds, type Stage } from './rig/stage.ts'

const kills = { short: 3, long: 100 }
const maxMs = 1_000
/** Every third kill comes while the product starts. */
const atStart = 3

/** kill -9 at random moments under load, over and over, on one database; and at each moment that matters, hit exactly. */
export function killUnderLoad(form: Form): Promise<Outcome[]> {
  return Promise.all([
    onStage((stage) => killAtRandom(form, stage)),
    ...moments.map((one) => onStage((stage) => killAtMoment(one, form, stage), `${one.moment}: `)),
  ])
}

async function killAtRandom(form: Form, stage: Stage): Promise<void> {
  // As a real peer does, it takes a moment to store a mail: the moment in which a kill makes a duplicate.
  stage.mailbox.behave({ does: 'accept', afterMs: 20 })
  const crowd = stage.crowd({ connections: 16, perSecond: 200 })
  let pending = 0
  for (let kill = 1; kill <= kills[form]; kill += 1) {
    const product = stage.launch()
    if (kill % atStart !== 0) await crowd.progress(10)
    await sleep(Math.random() * maxMs)
    await product.kill()
    pending = (await stage.noteInterruptions()).filter(isPending).length
  }
  await crowd.stop()
  const last = await stage.start({ preload: afterTheLeases(form) })
  const startedAt = performance.now()
  const deliveredAt = await stage.settle([last])
  stage.note(
    `${kills[form]} kills, ${crowd.unanswered.length} sign-ups without an answer, ${crowd.refused.length} refused`,
  )
  stage.note(`${stage.interrupted()} attempts interrupted between the mailbox and the record`)
  stage.note(
    `${pending} pending after the last kill, all delivered ${seconds(deliveredAt - startedAt)} after the last start`,
  )
}

interface MomentOfDeath {
  moment: Moment | 'after-the-final-dot'
  signUps: number
  /** How many of them were answered before the crash. */
  acknowledged: number
  /** Attempts whose mail the mailbox has and the database does not know of; each goes out again. */
  interrupted: number
}

const moments: MomentOfDeath[] = [
  { moment: 'before-the-answer', signUps: 20, acknowledged: 0, interrupted: 0 },
  { moment: 'after-the-answer', signUps: 1, acknowledged: 1, interrupted: 0 },
  { moment: 'after-the-final-dot', signUps: 1, acknowledged: 1, interrupted: 1 },
  { moment: 'after-the-250', signUps: 1, acknowledged: 1, interrupted: 1 },
]

async function killAtMoment(one: MomentOfDeath, form: Form, stage: Stage): Promise<void> {
  const { moment, acknowledged, interrupted } = one
  const answered = await crash(one, stage)
  const deliveries = await stage.noteInterruptions()
  stage.expect(answered === acknowledged, `${answered} were answered`)
  stage.expect(deliveries.length > 0, 'nothing was committed')
  stage.expect(stage.interrupted() === interrupted, `${stage.interrupted()} attempts interrupted`)

  const startedAt = performance.now()
  stage.mailbox.behave({ does: 'accept' })
  const after = await stage.start({ preload: afterTheLeases(form) })
  const deliveredAt = await stage.settle([after])
  const { mails = 0, rows, duplicates } = stage.counts ?? {}
  stage.expect(duplicates === interrupted, `${duplicates} duplicates`)
  stage.note(
    `${moment}: ${mails} mails for ${rows} rows, ${duplicates} duplicates, all out ${seconds(deliveredAt - startedAt)} after the restart`,
  )
}

/** Returns the number of acknowledged sign-ups. */
async function crash({ moment, signUps }: MomentOfDeath, stage: Stage): Promise<number> {
  const { mailbox, start } = stage
  const heldByPeer = moment === 'after-the-final-dot'
  if (heldByPeer) mailbox.behave({ does: 'stay-mute', at: 'data' })
  const product = await start({ preload: heldByPeer ? [] : [killAt(moment)] })
  const crowd = stage.crowd({ connections: signUps, count: signUps })
  if (heldByPeer) {
    await mailbox.arrival(1)
    await product.kill()
  }
  await product.exited
  await crowd.stop()
  return crowd.acknowledged.size
}
