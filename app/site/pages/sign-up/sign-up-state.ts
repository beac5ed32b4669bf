import { type ReceiptStatus, slowAfterMs, mailStage } from '#contract/sign-up.ts'
import type { FormWords } from './form-words.ts'
import type { SignUpSuccess } from './send-sign-up.ts'

/** The state of one form. The typed value lives in the field itself. */
export interface SignUpState {
  submitting: boolean
  /** Under the field, until the next key or press. */
  message: FieldMessage | undefined
  /** The last success, until the next submit. */
  note: SignUpNote | undefined
}

export type FieldMessage =
  | { kind: 'invalid' }
  /** The domain is a known misspelling; nothing is sent until the visitor has chosen. */
  | { kind: 'slip'; typed: string; meant: string }
  /** The server takes no sign-up before that time. Both in ms since 1970. */
  | { kind: 'wait'; until: number; since: number }

export interface SignUpNote extends SignUpSuccess {
  address: string
  /** ms since 1970, by the page's clock. `resendAt`: when the mail can be sent again. */
  since: number
  resendAt: number
}

export type NoteView = keyof FormWords['note']['views']

/** `status`: the last one, if any. `ageMs`: the age of the note when `status` was requested. */
export function viewOf(
  note: SignUpNote,
  status: ReceiptStatus | undefined,
  ageMs: number,
): NoteView {
  if (note.kind === 'already-on-list' && !note.resent) return 'listed'
  if (!note.receiptUrl || (!status && ageMs >= slowAfterMs)) return 'inbox'
  const stage = mailStage(status, ageMs)
  return stage === 'sent' && note.resent ? 'sent-again' : stage
}
