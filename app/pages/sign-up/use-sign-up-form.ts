import { useRef, useState, useSyncExternalStore, type RefObject, type SubmitEvent } from 'react'
import { signUpFunction, signUpPath } from '#contract/sign-up.ts'
import type { PageValues } from '../page-values.ts'
import { isSuccess } from './sign-up-state.ts'
import { signUpOrigin } from './sign-up-origin.ts'
import { suggestAddress } from './suggest-address.ts'
import { useSignUp } from './use-sign-up.ts'

interface SignUpFormParts {
  field: RefObject<HTMLInputElement | null>
  button: RefObject<HTMLButtonElement | null>
  values: PageValues
  /** Its name in the owner's counts. */
  form: string
  /** The page came as the answer to a plain form with an invalid address. */
  startsInvalid: boolean
}

/** What a sign-up does to its form: the value, the focus, and the address that was probably meant. */
export function useSignUpForm({ field, button, values, form, startsInvalid }: SignUpFormParts) {
  const [suggestion, setSuggestion] = useState<string>()
  const accepted = useRef('')
  const { state, submit } = useSignUp({
    backend: () => ({ functionsUrl: functionsUrl(), anonKey: values.anonKey }),
    origin: (address) => signUpOrigin(form, location.search, accepted.current === address, values.source),
    supportEmail: values.supportEmail,
    startsInvalid,
  })

  async function send(typed: string, again: boolean) {
    const outcome = await submit(typed, again)
    if (outcome === undefined) return
    setSuggestion(suggestAddress(typed))
    if (outcome === 'invalid') return field.current?.focus()
    if (isSuccess(outcome) && !again) setValue('')
    setTimeout(() => focusIfLost(button.current)) // not before the button is enabled again
  }

  function setValue(value: string) {
    if (field.current) field.current.value = value
  }

  return {
    state,
    suggestion,
    onSubmit: (event: SubmitEvent) => {
      event.preventDefault()
      void send(field.current?.value ?? '', false)
    },
    sendAgain: (address: string) => void send(address, true),
    checkForSlip: () => setSuggestion(suggestAddress(field.current?.value ?? '')),
    forgetSuggestion: () => setSuggestion(undefined),
    acceptSuggestion: (address: string) => {
      accepted.current = address
      setValue(address)
      setSuggestion(undefined)
      field.current?.focus()
    },
  }
}

/** False while the markup of the build is taken over, so that both agree. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}

const neverChanges = () => () => {}

function functionsUrl(): string {
  return location.origin + signUpPath.slice(0, -`/${signUpFunction}`.length)
}

/** A button that is disabled under the fingers loses the focus to the page. */
function focusIfLost(button: HTMLButtonElement | null) {
  const active = document.activeElement
  if (active === null || active === document.body) button?.focus()
}
