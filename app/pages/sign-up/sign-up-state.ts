import { type ReceiptStatus, slowAfterMs, stageOf } from '#contract/sign-up.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import type { Toast } from '../ui/toaster.tsx'
import type { NoteText } from './note-words.ts'
import type { SignUpOutcome, SignUpSuccess } from './send-sign-up.ts'

/** The state of one form. The typed value lives in the field itself. */
export interface SignUpState {
  submitting: boolean
  invalid: boolean
  /** The last success, until the next submit. */
  note: SignUpNote | undefined
  /** The sign-up that the next one corrects. While `note` is the same one, the visitor can still cancel the change. */
  corrects: SignUpNote | undefined
}

export interface SignUpNote extends SignUpSuccess {
  address: string
  /** ms since 1970, by the page's clock. `resendAt`: when the mail can be sent again. */
  since: number
  resendAt: number
  /** The address has had its mails of the day, so the wait for `resendAt` is longer than usual. */
  isCeiling: boolean
  /** The address that this one corrects. */
  corrected: string | undefined
}

export type SignUpEvent =
  | { type: 'invalid' }
  /** The address in the field has become valid. */
  | { type: 'valid' }
  | { type: 'submitted'; again: boolean; corrects: SignUpNote | undefined }
  | { type: 'answered'; note: SignUpNote | undefined }
  /** `corrects`: the note's sign-up, or undefined to cancel the change. */
  | { type: 'change'; corrects: SignUpNote | undefined }

export const idle: SignUpState = { submitting: false, invalid: false, note: undefined, corrects: undefined }

export function nextSignUpState(state: SignUpState, event: SignUpEvent): SignUpState {
  switch (event.type) {
    case 'invalid':
      return { ...state, invalid: true, note: isChanging(state) ? state.note : undefined }
    case 'valid':
      return { ...state, invalid: false }
    case 'submitted': {
      const { again, corrects } = event
      // "Send it again" is a button in the note, so the note stays.
      return { submitting: true, invalid: false, note: again ? state.note : undefined, corrects }
    }
    case 'answered':
      return event.note ? { ...idle, note: event.note } : { ...state, submitting: false }
    case 'change':
      return { ...state, invalid: false, corrects: event.corrects }
  }
}

export function isChanging({ note, corrects }: SignUpState): boolean {
  return note !== undefined && note === corrects
}

/** `waitMs`: how long until a resend is possible, unless the answer says so. */
export function noteFor(
  outcome: SignUpOutcome,
  signUp: Pick<SignUpNote, 'address' | 'corrected' | 'since'>,
  waitMs: number,
): SignUpNote | undefined {
  if (outcome.kind === 'refused' || outcome.kind === 'unreachable') return undefined
  const { resendInMs = waitMs } = outcome
  const isLonger = resendInMs > waitMs + 1000 // the server's time, from its Date header, lacks the milliseconds
  const isCeiling = outcome.kind === 'already-on-list' && !outcome.resent && isLonger
  return { ...outcome, ...signUp, resendAt: signUp.since + resendInMs, isCeiling }
}

export type NoteView = keyof NoteText['views']

/** `status`: undefined while there is none. `age`: of the note, in seconds. */
export function viewOf(note: SignUpNote, status: ReceiptStatus | undefined, age: number): NoteView {
  const { kind, resent, isHidden, isCeiling, receiptUrl } = note
  const ageMs = age * 1000
  if (isCeiling) return 'ceiling'
  if (isHidden) return 'hidden'
  if (!receiptUrl || (!status && ageMs >= slowAfterMs))
    return resent ? 'resent' : kind === 'sent' ? 'sent' : 'known'
  const stage = stageOf(status, ageMs)
  if (stage === 'handed-over') return resent ? 'sent-again' : kind === 'sent' ? stage : 'listed'
  if (stage === 'waiting') return resent ? 'again' : 'on-its-way'
  return stage
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
