import { settle } from '../rig/account.ts'
import { addOutcomes, type Form, type Outcome } from '../rig/drill.ts'
import { Interruptions } from '../rig/interruptions.ts'
import type { Moment } from './kill-at.ts'
import { eventually } from '../rig/eventually.ts'
import { type Load, startLoad } from '../rig/load.ts'
import { afterTheLeases, killAt } from '../rig/preloads.ts'
import { type DeliveryRecord, readDeliveriesAfterCrash } from '../rig/records.ts'
import { onStage, type Stage } from '../rig/stage.ts'

type MailMoment = 'after-the-final-dot'

interface Crash {
  load: Load
  deliveries: DeliveryRecord[]
  mailsKept: number
}

interface MomentDrill {
  moment: Moment | MailMoment
  signUps: number
  /** Errors found on disk and in the mailbox at that moment. */
  faultsAtCrash(crash: Crash): string[]
  duplicates: number
  inShort: boolean
}

const drills: MomentDrill[] = [
  {
    moment: 'before-the-answer',
    signUps: 20,
    faultsAtCrash: ({ load, deliveries }) => [
      ...unless(load.acknowledged.size === 0, 'somebody was answered before the first answer'),
      ...unless(deliveries.length > 0, 'the answer was about to go out, and nothing was committed'),
    ],
    duplicates: 0,
    inShort: true,
  },
  {
    moment: 'after-the-answer',
    signUps: 1,
    faultsAtCrash: ({ load, deliveries }) => [
      ...unless(load.acknowledged.size === 1, 'the answer did not arrive'),
      ...unless(deliveries.length === 1, 'answered, and no delivery committed'),
    ],
    duplicates: 0,
    inShort: false,
  },
  {
    moment: 'after-the-final-dot',
    signUps: 1,
    faultsAtCrash: ({ deliveries, mailsKept }) => [
      ...unless(mailsKept === 1, `the mailbox had ${mailsKept} mails`),
      ...unless(deliveries[0]?.state === 'sending', 'recorded before the 250'),
    ],
    duplicates: 1,
    inShort: true,
  },
  {
    moment: 'after-the-250',
    signUps: 1,
    faultsAtCrash: ({ deliveries, mailsKept }) => [
      ...unless(mailsKept === 1, `the mailbox had ${mailsKept} mails`),
      ...unless(deliveries[0]?.state === 'sending', 'recorded before the 250 was read'),
    ],
    duplicates: 1,
    inShort: true,
  },
]

/** kill -9 at the moments at which a sign-up or a mail could get lost or doubled, each hit exactly. */
export async function killAtMoments(form: Form): Promise<Outcome> {
  const outcomes = await Promise.all(
    drills
      .filter(({ inShort }) => form === 'long' || inShort)
      .map((drill) => onStage((stage) => killAtMoment(drill, form, stage))),
  )
  return addOutcomes(outcomes)
}

async function killAtMoment(drill: MomentDrill, form: Form, stage: Stage): Promise<Outcome> {
  const { place, mailbox } = stage
  const load = await crash(drill, stage)
  const deliveries = await readDeliveriesAfterCrash(place)
  const faults = drill.faultsAtCrash({ load, deliveries, mailsKept: mailbox.mails.length })
  const interruptions = new Interruptions()
  interruptions.note(deliveries, mailbox.mails)

  const startedAt = performance.now()
  mailbox.behave({ does: 'accept' })
  const after = await stage.start({ preload: afterTheLeases(form) })
  const { counts, broken, deliveredAt } = await settle(stage, [after], {
    acknowledged: load.acknowledged,
    interrupted: (messageId) => interruptions.of(messageId),
    deliveredWithinMs: 90_000,
  })
  const seconds = (deliveredAt - startedAt) / 1000
  const unexpected = unless(counts.duplicates === drill.duplicates, `${counts.duplicates} duplicates`)
  return {
    counts,
    broken: [...faults, ...broken, ...unexpected].map((fault) => `${drill.moment}: ${fault}`),
    notes: [
      `${drill.moment}: ${counts.mails} mails for ${counts.rows} rows, ${counts.duplicates} duplicates, all out ${seconds.toFixed(1)} s after the restart`,
    ],
  }
}

async function crash({ moment, signUps }: MomentDrill, { place, mailbox, start }: Stage): Promise<Load> {
  const heldByPeer = moment === 'after-the-final-dot'
  if (heldByPeer) mailbox.behave({ does: 'stay-mute', at: 'data' })
  const product = await start({ preload: heldByPeer ? [] : [killAt(moment)] })
  const load = startLoad(place.url, { connections: signUps, most: signUps })
  if (heldByPeer) {
    await mailbox.arrival(1)
    await product.kill()
  }
  let ended = false
  void product.exited.then(() => (ended = true))
  await eventually(`the product ends ${moment}`, () => ended)
  await load.stop()
  await mailbox.idle()
  return load
}

function unless(holds: boolean, fault: string): string[] {
  return holds ? [] : [fault]
}
