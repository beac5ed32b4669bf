import type { SignUpOutcome } from './send-sign-up.ts'

/** What one form shows. Its value lives in the field itself. */
export interface SignUpState {
  submitting: boolean
  invalid: boolean
  /** Of the last success, until the next submit. */
  success: SignUpSuccess | undefined
}

export interface SignUpSuccess {
  outcome: 'sent' | 'already-on-list'
  address: string
  /** Milliseconds since 1970. */
  at: number
}

export type SignUpEvent =
  | { type: 'refused-by-the-form' }
  | { type: 'submitted'; again: boolean }
  | { type: 'answered'; outcome: SignUpOutcome; address: string; at: number }

export const idle: SignUpState = { submitting: false, invalid: false, success: undefined }

export function nextSignUpState(state: SignUpState, event: SignUpEvent): SignUpState {
  switch (event.type) {
    case 'refused-by-the-form':
      return { submitting: false, invalid: true, success: undefined }
    case 'submitted':
      // Asked for again from the note: the note stays, it holds the button that was pressed.
      return { submitting: true, invalid: false, success: event.again ? state.success : undefined }
    case 'answered': {
      const { outcome, address, at } = event
      const success = isSuccess(outcome) ? { outcome, address, at } : state.success
      return { submitting: false, invalid: false, success }
    }
  }
}

export function isSuccess(outcome: SignUpOutcome): outcome is SignUpSuccess['outcome'] {
  return outcome === 'sent' || outcome === 'already-on-list'
}
