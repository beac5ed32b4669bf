import { settleAccounts } from './rig/account.ts'
import type { Form, Outcome } from './rig/drill.ts'
import { inDrillFolder } from './rig/drill-folder.ts'
import { startLoad } from './rig/load.ts'
import { openMailbox } from './rig/mailbox.ts'
import { watchMemory } from './rig/memory.ts'
import { findPlace, startProduct } from './rig/product.ts'
import { countUnsent, readDeliveries, untilNothingIsOwed } from './rig/records.ts'

const sizes = { short: 300, long: 10_000 }
/** Claims in hand plus parallel sends: so far may one mail overtake another. */
const mostOutOfPlace = 64
const mostGrowthBytes = 40 * 1024 * 1024

/** So many mails wait behind the site's ceiling; then it is lifted. */
export function drainBacklog(form: Form): Promise<Outcome> {
  return inDrillFolder(async (folder) => {
    const mailbox = await openMailbox()
    const place = await findPlace(folder)
    const { databaseFile } = place
    const environment = { SMTP_URL: mailbox.url }
    const held = await startProduct(place, {
      environment: { ...environment, LIMIT_SITE_MAILS_PER_HOUR: '1' },
    })
    const load = startLoad(place.url, { connections: 32, most: sizes[form] })
    await load.finished
    await held.terminate()
    const owed = countUnsent(databaseFile)
    const order = readDeliveries(databaseFile)
      .filter(({ state }) => state === 'queued')
      .toSorted((a, b) => a.dueAt - b.dueAt || a.id - b.id)
      .map(({ messageId }) => messageId)
    const owedIds = new Set(order)

    const start = performance.now()
    const product = await startProduct(place, { environment })
    const memory = watchMemory(product.pid)
    await untilNothingIsOwed(databaseFile, 300_000)
    const seconds = (performance.now() - start) / 1000
    const growth = memory.stop()
    await product.terminate()
    mailbox.close()

    const settled = settleAccounts({
      ...{ databaseFile, acknowledged: load.acknowledged, mails: mailbox.mails },
    })
    const { counts, broken } = settled
    const outOfPlace = furthestOutOfPlace(
      order,
      mailbox.mails.map(({ messageId }) => messageId).filter((messageId) => owedIds.has(messageId)),
    )
    if (owed !== sizes[form] - 1) broken.push(`${owed} mails waited behind a ceiling of one`)
    if (outOfPlace > mostOutOfPlace) broken.push(`a mail went ${outOfPlace} places out of its order`)
    if (form === 'long' && growth.bytes > mostGrowthBytes)
      broken.push(`memory grew by ${growth.text} while it drained`)
    return {
      counts,
      broken,
      notes: [
        `${owed} owed at the start, drained in ${seconds.toFixed(1)} s (${Math.round(owed / seconds)} a second)`,
        `no mail further than ${outOfPlace} places from its turn; memory ${growth.text}`,
      ],
    }
  })
}

function furthestOutOfPlace(order: readonly string[], arrived: readonly string[]): number {
  const places = new Map(order.map((messageId, place) => [messageId, place]))
  return arrived.reduce(
    (most, messageId, place) => Math.max(most, Math.abs((places.get(messageId) ?? Infinity) - place)),
    0,
  )
}
