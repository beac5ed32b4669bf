import { randomInt } from 'node:crypto'
import { ownerMailText } from '#content/owner-mail.ts'
import { messageOf } from '../../weekly-report/send-once.ts'
import { type Call, Refused } from '../call.ts'
import { hashOf, isWithinLimit, keepSecret, newSecret, tryOnce, useUp } from './secrets.ts'
import { cookie, readCookie, startSession } from './sessions.ts'

const minuteMs = 60_000
const codeMs = 10 * minuteMs
const tries = 5
const codesPerNetworkAnHour = 5
/** A guess succeeds about once in a million hours, since each code allows five tries. */
const codesAnHour = 20
const cookieName = 'desk-code'

/** Mails a code. The answer is the same above the limits and does not wait for the mail, so it reveals nothing. */
export async function mailCode(call: Call) {
  const { database, network } = call
  const [browser, now] = [newSecret(), call.now()]
  const endsAt = now + codeMs
  call.headers['set-cookie'] = cookie(call, cookieName, browser, codeMs)
  // A network above its limit does not use up the common limit.
  const isAllowed =
    (await isWithinLimit(database.query, `desk ${network}`, codesPerNetworkAnHour, now)) &&
    (await isWithinLimit(database.query, 'desk', codesAnHour, now))
  if (isAllowed) {
    const code = String(randomInt(100_000_000)).padStart(8, '0')
    // The browser's secret is not in the table, so nobody who reads it can find the code by trying all eight digits.
    const value = hashOf(browser + code)
    await keepSecret(database.query, browser, { kind: 'code', value, tries_left: tries, ends_at: endsAt })
    void send(call, code)
  }
  /** `nextAt`: when another code may be asked for. */
  return { endsAt, nextAt: now + minuteMs }
}

/** Signs in by a mailed code, in which spaces are ignored. */
export async function signInByCode(call: Call, { code: typed }: { code: string }) {
  const code = typed.replaceAll(/\s/g, '')
  const { query } = call.database
  const browser = readCookie(call, cookieName)
  const tried = await tryOnce(query, browser, 'code', call.now())
  const usedUp = new Refused('wrong-proof', 'That code is used up. Mail another.', { triesLeft: 0 })
  if (!tried) return usedUp
  if (await call.checkSecret(hashOf(browser + code), tried.value)) {
    const isFirst = (await useUp(query, browser, 'code', call.now())) !== undefined
    return isFirst ? startSession(call, 'signed-in-by-code') : usedUp
  }
  call.log.warn('wrong code at the desk', { triesLeft: tried.tries_left })
  if (tried.tries_left === 0) return usedUp
  return new Refused('wrong-proof', 'That code is not right.', { triesLeft: tried.tries_left })
}

/** Sends the code without queue and ceilings, because the desk must open when these are the trouble. */
async function send(call: Call, code: string): Promise<void> {
  const mail = ownerMailText.deskCode(`${code.slice(0, 4)} ${code.slice(4)}`)
  const sending = await call.mailer.send(messageOf(call, newSecret(), mail))
  if (sending.kind === 'accepted') call.log.info('code for the desk mailed')
  else call.log.error('code for the desk not mailed', { why: sending.why })
}
