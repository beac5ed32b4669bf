import { useReducer, useRef, useState, useSyncExternalStore, type RefObject, type SubmitEvent } from 'react'
import { parseEmailAddress } from '#contract/email-address.ts'
import { formatAttribution } from '#contract/sign-up.ts'
import type { PageValues } from '../page-values.ts'
import { useShowToast } from '../ui/toaster.tsx'
import { sendSignUp } from './send-sign-up.ts'
import { idle, nextSignUpState, noteFor, toastFor } from './sign-up-state.ts'
import { suggestAddress } from './mail-services.ts'

interface SignUpOptions {
  field: RefObject<HTMLInputElement | null>
  button: RefObject<HTMLButtonElement | null>
  values: PageValues
  /** The form's name in the attribution. */
  form: string
  /** The page is the answer to a plain form with an invalid address. */
  startsInvalid: boolean
}

/** The behaviour of one form: its state, its value, its focus, and the suggested address. */
export function useSignUp({ field, button, values, form, startsInvalid }: SignUpOptions) {
  const [suggestion, setSuggestion] = useState<string>()
  const [state, dispatch] = useReducer(nextSignUpState, { ...idle, invalid: startsInvalid })
  const running = useRef(false) // the state is one render late; a second press may come sooner
  const accepted = useRef('')
  const showToast = useShowToast()

  async function submit(typed: string, again: boolean) {
    if (running.current) return
    const parsed = parseEmailAddress(typed)
    setSuggestion(suggestAddress(typed))
    if (!parsed) {
      dispatch({ type: 'invalid' })
      return field.current?.focus()
    }
    running.current = true
    dispatch({ type: 'submitted', again })
    const { address } = parsed
    const outcome = await sendSignUp(...requestFor(address, form, address === accepted.current, values))
    running.current = false
    const note = noteFor(outcome, address, Date.now(), values.resendAfterSeconds * 1000)
    dispatch({ type: 'answered', note })
    showToast(toastFor(outcome, values.supportEmail))
    if (note && !again) setValue('')
    setTimeout(() => focusIfLost(button.current)) // after the button is enabled again
  }

  function setValue(value: string) {
    if (field.current) field.current.value = value
  }

  return {
    state,
    suggestion,
    onSubmit: (event: SubmitEvent) => {
      event.preventDefault()
      void submit(field.current?.value ?? '', false)
    },
    sendAgain: (address: string) => void submit(address, true),
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

/** The attribution goes to our own origin only: elsewhere its header could fail the preflight. */
function requestFor(
  address: string,
  form: string,
  suggestionAccepted: boolean,
  { functionsUrl, anonKey, campaign }: PageValues,
): Parameters<typeof sendSignUp> {
  const { href, origin } = new URL(functionsUrl, location.href)
  const attribution = {
    form,
    campaign: campaign || new URLSearchParams(location.search).get('utm_source'),
    suggestionAccepted,
  }
  const isOwnOrigin = origin === location.origin
  return [address, isOwnOrigin ? formatAttribution(attribution) : undefined, { functionsUrl: href, anonKey }]
}

/** False during hydration, so that the first render matches the markup. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}

const neverChanges = () => () => {}

/** A button that is disabled while it has the focus loses it to the page. */
function focusIfLost(button: HTMLButtonElement | null) {
  const active = document.activeElement
  if (active === null || active === document.body) button?.focus()
}
