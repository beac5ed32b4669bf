import { signUpText } from '#content/pages/sign-up.ts'
import type { Toast } from '../ui/toast-box.tsx'
import type { SignUpOutcome } from './send-sign-up.ts'

/** The state of one form. The typed value lives in the field itself. */
export interface SignUpState {
  submitting: boolean
  invalid: boolean
  /** The last success, until the next submit. */
  note: SignUpNote | undefined
}

export interface SignUpNote {
  kind: 'sent' | 'already-on-list' | 'resent'
  address: string
  /** When the mail can be sent again, in milliseconds since 1970. */
  resendAt: number
}

export type SignUpEvent =
  | { type: 'invalid' }
  | { type: 'submitted'; again: boolean }
  | { type: 'answered'; note: SignUpNote | undefined }

export const idle: SignUpState = { submitting: false, invalid: false, note: undefined }

export function nextSignUpState(state: SignUpState, event: SignUpEvent): SignUpState {
  switch (event.type) {
    case 'invalid':
      return { submitting: false, invalid: true, note: undefined }
    case 'submitted':
      // "Send it again" is a button in the note, so the note stays.
      return { submitting: true, invalid: false, note: event.again ? state.note : undefined }
    case 'answered':
      return { submitting: false, invalid: false, note: event.note ?? state.note }
  }
}

/** `waitMs`: how long until a resend is possible, unless the answer says so. */
export function noteFor(
  outcome: SignUpOutcome,
  address: string,
  now: number,
  waitMs: number,
): SignUpNote | undefined {
  if (outcome.kind === 'refused' || outcome.kind === 'unreachable') return undefined
  const kind = outcome.resent ? 'resent' : outcome.kind
  return { kind, address, resendAt: now + (outcome.resendInMs ?? waitMs) }
}

/** The words of the specification's error catalogue. */
export function toastFor({ kind }: SignUpOutcome, supportEmail: string): Toast {
  const words = signUpText.toasts
  switch (kind) {
    case 'sent':
      return { tone: 'success', ...words.sent }
    case 'already-on-list':
      return { tone: 'success', ...words.alreadyOnList }
    case 'refused':
      return {
        tone: 'error',
        ...words.refused,
        ...(supportEmail && { link: { words: words.supportLink, href: `mailto:${supportEmail}` } }),
      }
    case 'unreachable':
      return { tone: 'error', ...words.unreachable }
  }
}
