import { ownerMailText } from '#content/owner-mail.ts'
import { fill } from '#site/text/fill.ts'
import { countText } from '#owner/acts/output.ts'
import type { OwnerMailTrouble } from './mail-trouble.ts'
import { explainReason } from './reasons.ts'
import { formatSpan } from './span.ts'

const words = ownerMailText.mailTrouble

export interface MailTroubleWords {
  /** Names it in a few words, without a full stop. */
  what: string
  /** Since when, why, how many wait, and what it means. */
  text: string
  /** The place to act. It is empty if the text says it. */
  remedy: string
}

interface Seen {
  /** Mails. */
  waiting: number
  /** ms since 1970. */
  at: number
  /** Writes the time of day, in the zone of whoever reads it. */
  timeOf: (at: number) => string
}

/** The words for mail in trouble, at the desk, in alarms and in the check-up. */
export function wordsOfMailTrouble(
  trouble: OwnerMailTrouble,
  { waiting, at, timeOf }: Seen,
): MailTroubleWords {
  const mails = countText(waiting)
  if (trouble.kind === 'full') {
    const { allowed, used, roomAt } = trouble
    const { what, text } = words.full
    const values = {
      allowed: countText(allowed),
      used: countText(used),
      waiting: mails,
      next: timeOf(roomAt),
    }
    return { what, text: fill(text, values), remedy: '' }
  }
  const { what, since, remedy } = words[trouble.kind]
  const sentences = [
    fill(since, { span: formatSpan(at - trouble.since) }),
    explainReason(trouble.why).words,
    fill(words.waiting, { mails: waiting === 1 ? '1 mail is' : `${mails} mails are` }),
  ]
  return { what, text: sentences.join(' '), remedy }
}

/** As a heading. */
export function headingOfMailTrouble(kind: OwnerMailTrouble['kind']): string {
  const { what } = words[kind]
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}.`
}
