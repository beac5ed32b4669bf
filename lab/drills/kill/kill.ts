import { setTimeout as sleep } from 'node:timers/promises'
import { settle } from '../rig/account.ts'
import type { Form, Outcome } from '../rig/drill.ts'
import { Interruptions } from '../rig/interruptions.ts'
import { eventually } from '../rig/eventually.ts'
import { type Load, startLoad } from '../rig/load.ts'
import { afterTheLeases } from '../rig/preloads.ts'
import { isOwed, readDeliveriesAfterCrash } from '../rig/records.ts'
import { onStage } from '../rig/stage.ts'

const kills = { short: 3, long: 100 }
const mostMs = 1_000
/** Every third kill comes while the product starts. */
const atStart = 3

/** kill -9 at random moments under load, over and over, on one database. */
export function killAtRandom(form: Form): Promise<Outcome> {
  return onStage(async (stage) => {
    const { place, mailbox, launch } = stage
    // As a real peer does, it takes a moment to store a mail: the moment in which a kill makes a duplicate.
    mailbox.behave({ does: 'accept', afterMs: 20 })
    const load = startLoad(place.url, { connections: 16, perSecond: 200 })
    const interruptions = new Interruptions()
    for (let kill = 0; kill < kills[form]; kill += 1) {
      const product = launch()
      if (kill % atStart !== atStart - 1) await underLoad(load)
      await sleep(Math.random() * mostMs)
      await product.kill()
      await mailbox.idle()
      interruptions.note(await readDeliveriesAfterCrash(place), mailbox.mails)
    }
    await load.stop()
    const owed = (await readDeliveriesAfterCrash(place)).filter(isOwed).length

    const last = await stage.start({ preload: afterTheLeases(form) })
    const startedAt = performance.now()
    const { counts, broken, deliveredAt } = await settle(stage, [last], {
      acknowledged: load.acknowledged,
      interrupted: (messageId) => interruptions.of(messageId),
      deliveredWithinMs: 180_000,
    })
    return {
      counts,
      broken,
      notes: [
        `${kills[form]} kills, ${load.unanswered.length} sign-ups without an answer, ${load.refused.length} refused`,
        `${interruptions.total} attempts interrupted between the mailbox and the record`,
        `${owed} owed after the last kill, all delivered ${((deliveredAt - startedAt) / 1000).toFixed(1)} s after the last start`,
      ],
    }
  })
}

async function underLoad({ acknowledged }: Load): Promise<void> {
  const before = acknowledged.size
  await eventually('sign-ups are acknowledged', () => acknowledged.size >= before + 10)
}
