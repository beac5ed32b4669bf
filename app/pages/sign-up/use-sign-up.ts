import { useReducer, useRef } from 'react'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { SignUpRequest } from '#contract/sign-up.ts'
import { useShowToast } from '../ui/toaster.tsx'
import { sendSignUp, type SignUpBackend, type SignUpOutcome } from './send-sign-up.ts'
import { idle, nextSignUpState, type SignUpState } from './sign-up-state.ts'
import { toastFor } from './sign-up-toasts.ts'

export interface SignUp {
  state: SignUpState
  /**
   * One request at a time: while one runs, a second press sends nothing and gets undefined.
   * `again`: asked for from the note of an earlier success.
   */
  submit: (typed: string, again?: boolean) => Promise<SignUpOutcome | 'invalid' | undefined>
}

interface SignUpSettings {
  backend: () => SignUpBackend
  /** Where the sign-up comes from, for the owner's counts. */
  origin: (address: string) => Omit<SignUpRequest, 'email'>
  supportEmail: string
  /** How the page came: a form posted without JavaScript may have been answered with its fault. */
  startsInvalid?: boolean
}

/** idle -> submitting -> idle, with the toasts on the way. */
export function useSignUp({ backend, origin, supportEmail, startsInvalid = false }: SignUpSettings): SignUp {
  const [state, report] = useReducer(nextSignUpState, { ...idle, invalid: startsInvalid })
  const running = useRef(false) // the state is a render late, a second press may come sooner
  const showToast = useShowToast()

  async function submit(typed: string, again = false) {
    if (running.current) return undefined
    const parsed = parseEmailAddress(typed)
    if (!parsed) {
      report({ type: 'refused-by-the-form' })
      return 'invalid'
    }
    running.current = true
    report({ type: 'submitted', again })
    const outcome = await sendSignUp({ email: parsed.address, ...origin(parsed.address) }, backend())
    running.current = false
    report({ type: 'answered', outcome, address: parsed.address, at: Date.now() })
    showToast(toastFor(outcome, supportEmail))
    return outcome
  }

  return { state, submit }
}
