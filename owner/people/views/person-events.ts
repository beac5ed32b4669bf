import { deliveryStateWords } from '#owner/mail/delivery-words.ts'
import { explainReason } from '#owner/mail/reasons.ts'
import { subscriberStateWords } from '../people-words.ts'
import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import type { RowProps } from '#owner/desk/views/parts/outline/rows.tsx'

type PersonState = RouterOutputs['people']['show']
type PersonMail = PersonState['mails'][number]

export interface PersonEvent extends RowProps {
  /** ms since 1970. */
  at: number
}

const auditWords: Record<string, string> = {
  'Sent the mail again to a person': 'You sent the mail again',
  'Corrected the address of a person': 'You corrected the address',
  'Unsubscribed a person': 'You unsubscribed them',
  'Put back a person': 'You put them back on the list',
}

/** Mail, consent and sign-up, the newest first. What a person opens is not kept. */
export function eventsOf(person: PersonState): PersonEvent[] {
  const { state, audit, mails } = person
  const { signed_up_at: signedUpAt, announcements_agreed_at: agreedAt, left_at: leftAt } = person
  const found: PersonEvent[] = [{ at: signedUpAt, mark: 'came', words: 'Signed up' }]
  if (agreedAt !== null) found.push({ at: agreedAt, mark: 'dash', words: 'Asked for news' })
  if (leftAt !== null && state !== 'active') {
    found.push({ at: leftAt, mark: 'left', words: subscriberStateWords[state] })
  }
  for (const { at, action } of audit) {
    found.push({ at, mark: 'dash', words: auditWords[action] ?? action })
  }
  for (const mail of mails) found.push(...eventsOfMail(mail))
  // The later of two at the same moment is above.
  return found.toReversed().toSorted((a, b) => b.at - a.at)
}

function eventsOfMail(mail: PersonMail): PersonEvent[] {
  const { state, queued_at: queuedAt, finished_at: finishedAt, last_fault: fault } = mail
  const name = mail.letter === null ? 'Mail' : `“${mail.letter}”`
  const note = fault ? `${explainReason(fault, state === 'failed').words} ${fault}` : undefined
  const queued: PersonEvent = { at: queuedAt, mark: 'dash', words: `${name} queued` }
  const at = finishedAt ?? queuedAt
  if (state === 'queued' && note) {
    return [queued, { at, mark: 'look', words: `${name} put off`, note }]
  }
  const words = `${name} ${deliveryStateWords[state]}`
  if (state === 'sent') return [queued, { at, mark: 'ok', words }]
  if (state === 'failed') return [queued, { at, mark: 'wrong', words, note }]
  if (state === 'cancelled') return [queued, { at, mark: 'left', words }]
  return [queued]
}
