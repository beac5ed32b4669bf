import { setTimeout as sleep } from 'node:timers/promises'
import { claimDueMail, type DeliveryMeans } from './deliver-due-mail.ts'
import type { MailsInHand } from './mails-in-hand.ts'
import { renewLeases } from './deliveries.ts'

const afterFaultMs = 1_000
/** After a fault of the database: time for every instance to record what it sent meanwhile, before anyone claims it anew. */
const recordFirstMs = 2 * afterFaultMs

/** Claims what is due for `mails`, and goes on after a fault of the database. */
export function claimAhead(means: DeliveryMeans, mails: MailsInHand) {
  const { database, log, counts, now, worker, leaseMs } = means
  let afterFault = false
  let closedUntil = 0
  /** The end of the last hour that counted as one whose ceiling was reached. */
  let countedUntil = 0

  async function claim(room: number): Promise<number> {
    if (afterFault) {
      await renewLeases(database.query, mails.ids(), worker, now() + leaseMs)
      afterFault = false
      await sleep(recordFirstMs)
    }
    const { due, nothingBefore = Infinity, isCeilingReached } = await claimDueMail(means, room)
    closedUntil = isCeilingReached ? nothingBefore : 0
    if (isCeilingReached && countedUntil < nothingBefore) {
      countedUntil = nothingBefore
      counts.countLimit('site')
    }
    mails.take(due)
    return Math.max(0, nothingBefore - now())
  }

  return {
    /** Claims up to `room` mails. Resolves to how long nothing more is due, in ms. */
    async claim(room: number): Promise<number> {
      try {
        return await claim(room)
      } catch (cause) {
        log.error('cannot claim deliveries, trying again', { cause })
        afterFault = true
        await sleep(afterFaultMs)
        return 0
      }
    },
    /** Once the hour's ceiling is reached there is nothing to look for, however many sign up. */
    isOpen: () => now() >= closedUntil,
  }
}
