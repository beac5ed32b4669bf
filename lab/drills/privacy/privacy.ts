import { readFileSync } from 'node:fs'
import { MarkerLife } from './marker-life.ts'
import type { Form, Outcome } from '../rig/drill.ts'
import { startLoad } from '../rig/load.ts'
import { filesThatHold, readAddresses, untilNothingIsOwed } from '../rig/records.ts'
import { onStage } from '../rig/stage.ts'

const environment = {
  RESEND_AFTER_SECONDS: '1',
  MAIL_RETRY_SECONDS: '1,1,1,1,1,1',
  LOG_LEVEL: 'debug',
}
const neighbours = { short: 50, long: 500 }
const deliveredWithinMs = 60_000

/** Follows one address through the product: only the database and the mails to it may contain it. */
export function followMarker(form: Form): Promise<Outcome> {
  return onStage(async ({ place, mailbox, start }) => {
    const product = await start({ environment })
    const marker = `marker-${Math.random().toString(36).slice(2)}`
    const isMarker = (address: string) => address.toLowerCase().includes(marker)
    const life = new MarkerLife(product, mailbox, marker)
    // Among others, so that their rows share pages with the marker's and move it about.
    await startLoad(place.url, { connections: 8, most: neighbours[form] }).finished
    await life.live()
    await startLoad(place.url, { connections: 8, most: neighbours[form] }).finished
    await untilNothingIsOwed(place.databaseFile, deliveredWithinMs)
    const rowsBefore = [...(await readAddresses(place.databaseFile))].filter(isMarker)
    life.expect(filesThatHold(place.databaseFile, marker).length > 0, 'the search finds nothing at all')
    await life.erase()
    life.expectGone('right after it was erased')
    life.expectNowhere(await life.metrics(), 'in the metrics after it was erased')
    await product.terminate()
    life.expectGone('after the stop')
    life.expectNowhere(readFileSync(place.logFile, 'utf8'), 'in the log')
    life.expect(/delivery postponed/.test(readFileSync(place.logFile, 'utf8')), 'nothing was logged')
    await mailbox.idle()
    const mails = mailbox.mails.filter(({ to }) => to.some(isMarker))
    await life.lookAtMails(mails.map(({ raw }) => raw))
    life.expect(mails.length === life.mailsOwed, `${mails.length} of ${life.mailsOwed} mails came`)
    const duplicates = mails.length - new Set(mails.map(({ messageId }) => messageId)).size
    return {
      counts: {
        acknowledged: life.acknowledged,
        rows: rowsBefore.length,
        mails: mails.length,
        duplicates,
        lost: life.mailsOwed - mails.length,
      },
      broken: life.broken,
      notes: ['signed up, retried, sent again, bounced, signed up again twice, unsubscribed, erased'],
    }
  })
}
