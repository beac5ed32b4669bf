import { randomInt } from 'node:crypto'
import { ownerMailText } from '#content/owner-mail.ts'
import { isSameSecret } from '#server/http/gate.ts'
import { messageOf } from '../../weekly-report/send-once.ts'
import type { Call } from '../call.ts'
import { Refused } from '../procedures.ts'
import { hashOf, isWithinLimit, keepSecret, newSecret, tryOnce } from './secrets.ts'
import { networkOf, readCookie, setCookie, startSession, wasSignedInBefore } from './sessions.ts'

const minuteMs = 60_000
const codeMs = 10 * minuteMs
const tries = 5
const codesPerNetworkAnHour = 5
/** A guess succeeds about once in a million hours, since each code allows five tries. */
const codesAnHour = 20
/** Kept for browsers that were signed in before, so that strangers cannot close the door. */
const codesForKnownBrowsersAnHour = 5
const cookieName = 'desk-code'

/** Mails a code. The answer is the same above the limits and does not wait for the mail, so it reveals nothing. */
export async function mailCode(call: Call) {
  const { database } = call
  const [browser, now] = [newSecret(), call.now()]
  const endsAt = now + codeMs
  setCookie(call, cookieName, browser, codeMs)
  if (await isAllowed(call, now)) {
    const code = String(randomInt(100_000_000)).padStart(8, '0')
    // The browser's secret is not in the table, so nobody who reads it can find the code by trying all eight digits.
    const value = hashOf(browser + code)
    await keepSecret(database, browser, { kind: 'code', value, tries, endsAt })
    void send(call, code)
  }
  /** `nextAt`: when another code may be asked for. */
  return { endsAt, nextAt: now + minuteMs }
}

/** A network above its limit does not use up the common limit. */
async function isAllowed(call: Call, now: number): Promise<boolean> {
  const isKnown = await wasSignedInBefore(call)
  const network = networkOf(call)
  return call.database.transaction(
    async (transaction) =>
      (isKnown && (await isWithinLimit(transaction, 'desk known', codesForKnownBrowsersAnHour, now))) ||
      ((await isWithinLimit(transaction, `desk ${network}`, codesPerNetworkAnHour, now)) &&
        (await isWithinLimit(transaction, 'desk', codesAnHour, now))),
  )
}

/** Signs in by a mailed code, in which spaces are ignored. */
export async function signInByCode(call: Call, typed: string) {
  const code = typed.replaceAll(/\s/g, '')
  const { database, now } = call
  const browser = readCookie(call, cookieName)
  const value = hashOf(browser + code)
  const tried = await tryOnce(database, browser, 'code', now(), value)
  if (!tried) throw wrongCode(0)
  if (isSameSecret(value, tried.value)) return startSession(call, 'Signed in by a code')
  call.log.warn('wrong code at the desk', { triesLeft: tried.tries_left })
  throw wrongCode(tried.tries_left)
}

function wrongCode(triesLeft: number): Refused {
  const left = `${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`
  const usedUp = 'That code is used up. Ask for another one.'
  return new Refused(triesLeft === 0 ? usedUp : `That code is not right. ${left}`, 'UNAUTHORIZED')
}

/** Sends the code without queue and ceilings, because the desk must open when these are the trouble. */
async function send(call: Call, code: string): Promise<void> {
  const mail = ownerMailText.deskCode(`${code.slice(0, 4)} ${code.slice(4)}`)
  const sending = await call.mailer.send(messageOf(call, newSecret(), mail))
  if (sending.kind === 'accepted') call.log.info('code for the desk mailed')
  else call.log.error('code for the desk not mailed', { why: sending.why })
}
