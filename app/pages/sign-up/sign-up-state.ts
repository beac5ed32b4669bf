import { type ReceiptStatus, slowAfterMs, mailStage } from '#contract/sign-up.ts'
import type { noteText } from '#content/pages/note.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import type { Toast } from '../ui/toaster.tsx'
import type { SignUpOutcome, SignUpSuccess } from './send-sign-up.ts'

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
  /** The server takes no sign-up before that time of day. */
  | { kind: 'wait'; time: string }

export interface SignUpNote extends SignUpSuccess {
  address: string
  /** ms since 1970, by the page's clock. `resendAt`: when the mail can be sent again. */
  since: number
  resendAt: number
}

export type NoteView = keyof typeof noteText.views

/** `status`: the last one, if there is any; `ageMs`: the note's when it was asked for. */
export function viewOf(
  note: SignUpNote,
  status: ReceiptStatus | undefined,
  ageMs: number,
): NoteView {
  if (note.kind === 'already-on-list' && !note.resent) return 'listed'
  if (!note.receiptUrl || (!status && ageMs >= slowAfterMs)) return 'inbox'
  return mailStage(status, ageMs)
}

/** The words of the specification's error catalogue. */
export function toastFor({ kind }: SignUpOutcome, supportEmail: string): Toast {
  const { sent, alreadyOnList, refused, unreachable, supportLink } = signUpText.toasts
  const link = supportEmail ? { words: supportLink, href: `mailto:${supportEmail}` } : undefined
  switch (kind) {
    case 'sent':
      return { tone: 'success', ...sent }
    case 'already-on-list':
      return { tone: 'success', ...alreadyOnList }
    case 'refused':
      return { tone: 'error', ...refused, ...(link && { link }) }
    case 'unreachable':
      return { tone: 'error', ...unreachable }
  }
}
