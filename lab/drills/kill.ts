import { setTimeout as sleep } from 'node:timers/promises'
import { isPending } from './rig/records.ts'
import {
  afterTheLeases,
  type Form,
  onStage,
  type Outcome,
  seconds,
  type Stage,
} from './rig/stage.ts'

const kills = { short: 3, long: 100 }
const signUpsPerSecond = { short: 60, long: 200 }
const maxMs = 1_000
/** Every third kill comes while the product starts. */
const atStart = 3

/** kill -9 at random moments under load, over and over, on one database. */
export function killUnderLoad(form: Form): Promise<Outcome> {
  return onStage((stage) => killOverAndOver(form, stage))
}

async function killOverAndOver(form: Form, stage: Stage): Promise<void> {
  // As a real peer does, it takes a moment to store a mail: the moment in which a kill makes a
  // duplicate.
  stage.mailbox.behave({ does: 'accept', afterMs: 20 })
  const crowd = stage.crowd({ connections: 16, perSecond: signUpsPerSecond[form] })
  let pending = 0
  for (let kill = 1; kill <= kills[form]; kill += 1) {
    const product = stage.site.launch()
    if (kill % atStart !== 0) await crowd.progress(10)
    await sleep(Math.random() * maxMs)
    await product.kill()
    pending = (await stage.noteInterruptions()).filter(isPending).length
  }
  await crowd.stop()
  const last = await stage.site.start({ preload: afterTheLeases(form) })
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
