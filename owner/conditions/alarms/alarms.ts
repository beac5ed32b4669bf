import { ownerMailText } from '#content/owner-mail.ts'
import { fill } from '#site/text/fill.ts'
import { timeText } from '#owner/acts/output.ts'
import { type OwnerMail, type OwnerMailDeps, sendOnce } from '#owner/acts/send-once.ts'
import type { Condition } from '../condition.ts'
import { forgetOver, keepOpen, type OpenCondition } from './open-since.ts'

const words = ownerMailText.alarm

/** A condition that comes back within this time has not ended. */
const overAfterMs = 30 * 60_000

/**
 * Mails each error once, and its end. A mail that cannot go out is tried again at each check,
 * because it takes the same relay as the mail that is stuck: then the owner hears of the end alone.
 */
export async function sendAlarms(
  deps: OwnerMailDeps,
  conditions: readonly Condition[],
): Promise<void> {
  const { database, now } = deps
  const open = await keepOpen(database, conditions, now())
  const byId = new Map(conditions.map((condition) => [condition.id, condition]))
  const over: OpenCondition[] = []
  for (const one of open) {
    const condition = byId.get(one.id)
    if (one.isError && condition?.severity === 'error') {
      const alarm = async () => writeAlarm(condition, now())
      await sendOnce(deps, `alarm ${one.id}`, String(one.since), alarm)
    }
    if (Math.abs(now() - one.seenAt) >= overAfterMs && (await tellEnd(deps, one, condition))) {
      over.push(one)
    }
  }
  if (over.length > 0) await forgetOver(database, over)
}

function writeAlarm({ what, why, advice, record }: Condition, at: number): OwnerMail {
  const paragraphs = [
    `${what} ${why}`,
    ...(advice === undefined ? [] : [advice]),
    ...(record ? [Object.values(record).join('  ')] : []),
    fill(words.closing, { at: timeText(at) }),
  ]
  return { subject: fill(words.subject, { what: inSubject(what) }), paragraphs }
}

/** True once nothing is left to tell. One that left the list ended by the owner's own hand. */
async function tellEnd(
  deps: OwnerMailDeps,
  { id, what, isError, since, seenAt }: OpenCondition,
  condition: Condition | undefined,
): Promise<boolean> {
  if (!isError || condition?.severity !== 'fine') return true
  const values = { what: inSubject(what), since: timeText(since), until: timeText(seenAt) }
  return sendOnce(deps, `all-clear ${id}`, String(since), async () => ({
    subject: fill(words.allClear, { what: inSubject(condition.what) }),
    paragraphs: [fill(words.wasSo, values)],
  }))
}

/** A sentence behind a colon: "mail is stuck". A name in capitals keeps them. */
function inSubject(sentence: string): string {
  const clause = sentence.replace(/\.$/, '')
  return /^\p{Lu}\p{Ll}/u.test(clause) ? clause.charAt(0).toLowerCase() + clause.slice(1) : clause
}
