import { randomInt } from 'node:crypto'
import { ownerMailText } from '#content/owner-mail.ts'
import { addToWindows } from '#server/sign-up/limit-windows.ts'
import { messageOf } from '../../weekly-report/send-once.ts'
import { type Call, Refused } from '../call.ts'
import { type CodeAsked, deskPath, type Session } from '../contract.ts'
import { hashOf, keepSecret, newSecret, tryOnce, useUp } from './secrets.ts'
import { cookie, readCookie, startSession } from './sessions.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const codeMs = 10 * minuteMs
const tries = 5
const codesPerNetworkAnHour = 5
/** With five tries each, a guess is right once in a million hours. */
const codesAnHour = 20
const cookieName = 'desk-code'

/** The answer tells nothing of what happened: it is the same above the limits, and does not wait for the mail. */
export async function mailCode(call: Call): Promise<CodeAsked> {
  const { database, now, headers } = call
  const [browser, at] = [newSecret(), now()]
  const endsAt = at + codeMs
  headers['set-cookie'] = cookie(call, cookieName, browser, codeMs)
  if (await isWithinLimits(call, at)) {
    const code = String(randomInt(100_000_000)).padStart(8, '0')
    // With what the browser holds, and the table does not, eight digits cannot be found by trying all of them.
    const value = hashOf(browser + code)
    await keepSecret(database.query, browser, { kind: 'code', value, tries_left: tries, ends_at: endsAt })
    void send(call, code)
  }
  return { endsAt, nextAt: at + minuteMs }
}

export async function signInByCode(call: Call): Promise<Session | Refused> {
  const code = call.fields.text('code').replaceAll(/\s/g, '')
  const { query } = call.database
  const browser = readCookie(call, cookieName)
  const tried = await tryOnce(query, browser, 'code', call.now())
  const usedUp = new Refused('wrong-proof', 'That code is used up. Mail another.', { triesLeft: 0 })
  if (!tried) return usedUp
  if (await call.checkSecret(hashOf(browser + code), tried.value))
    return (await useUp(query, browser)) ? startSession(call, 'signed-in-by-code') : usedUp
  call.log.warn('wrong code at the desk', { triesLeft: tried.tries_left })
  if (tried.tries_left === 0) return usedUp
  return new Refused('wrong-proof', 'That code is not right.', { triesLeft: tried.tries_left })
}

/** A network above its limit does not use up the limit of all. */
async function isWithinLimits({ database, network }: Call, now: number): Promise<boolean> {
  const limits = [
    { name: `desk ${network}`, most: codesPerNetworkAnHour },
    { name: 'desk', most: codesAnHour },
  ]
  for (const { name, most } of limits) {
    const windows = await addToWindows(database.query, [{ name, amount: 1 }], hourMs, now)
    if ((windows.get(name)?.used ?? 0) > most) return false
  }
  return true
}

/** Past queue, ceilings and alarms: the desk must open when they are the trouble. */
async function send(call: Call, code: string): Promise<void> {
  const { subject, text } = ownerMailText.deskCode
  const paragraphs = text(`${code.slice(0, 4)} ${code.slice(4)}`, call.config.publicUrl + deskPath)
  const message = messageOf({ ...call, from: call.config.mailFrom }, newSecret(), { subject, paragraphs })
  const sending = await call.mailer.send(message)
  if (sending.kind === 'accepted') call.log.info('code for the desk mailed')
  else call.log.error('code for the desk not mailed', { why: sending.why })
}
