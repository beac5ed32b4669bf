import { formatNumber } from '#owner/desk/views/format/format.ts'
import type { RouterInputs, RouterOutputs } from '#owner/desk/views/api/trpc.ts'

export type MailState = RouterOutputs['mail']['show']
export type MailRow = RouterOutputs['mail']['list']['mails'][number]
export type MailList = RouterInputs['mail']['list']['state']

/** The choices in the view. */
export interface MailChoices {
  list: MailList
  /** The list begins below this number. 0: with the newest. */
  below: number
}

export const initialMailChoices: MailChoices = { list: 'waiting', below: 0 }

const lists: readonly string[] = ['waiting', 'failed', 'sent'] satisfies MailList[]

export function isMailList(value: string): value is MailList {
  return lists.includes(value)
}

interface WaitingList {
  /** The rows behind the press. */
  folded: number
  /** The rows of the view, folded or not. */
  listed: number
  /** All mails that wait. */
  waiting: number
}

/** Names what a press unfolds: never more than it does. */
export function describeRest({ folded, listed, waiting }: WaitingList): string {
  if (listed === waiting) return `${formatNumber(folded)} more`
  return `The ${formatNumber(listed)} that have waited longest, of ${formatNumber(waiting)}`
}
