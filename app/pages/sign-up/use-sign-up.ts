import { useEffect, useReducer, useRef, useState, type RefObject } from 'react'
import { parseEmailAddress } from '#contract/email-address.ts'
import { attributionHeader, formatAttribution } from '#contract/sign-up.ts'
import type { PageValues } from '../page-values.ts'
import { useShowToast } from '../ui/toaster.tsx'
import { suggestAddress } from './mail-services.ts'
import { sendSignUp } from './send-sign-up.ts'
import { loadNoteText } from './note-words.ts'
import {
  idle,
  nextSignUpState,
  noteFor,
  type SignUpNote,
  type SignUpState,
  toastFor,
} from './sign-up-state.ts'
import type { NoteActions } from './success-note.tsx'

interface SignUpOptions {
  form: RefObject<HTMLFormElement | null>
  values: PageValues
  /** The form's name in the attribution. */
  name: string
  /** The page is the answer to a plain form with an invalid address. */
  startsInvalid: boolean
}

/** The behaviour of one form: its state, its value, its focus, and the suggested address. */
export function useSignUp({ form, values, name, startsInvalid }: SignUpOptions) {
  const [state, dispatch] = useReducer(nextSignUpState, { ...idle, invalid: startsInvalid })
  const suggestion = useSuggestion(form)
  const running = useRunning(state, form)
  const showToast = useShowToast()
  // The browser's validation checks the address until the form is hydrated.
  useEffect(() => form.current?.setAttribute('novalidate', ''), [form])

  async function submit(typed = fieldOf(form)?.value ?? '', again = false, corrects = state.corrects) {
    if (running.is()) return
    const parsed = parseEmailAddress(typed)
    if (!parsed) {
      dispatch({ type: 'invalid' })
      return fieldOf(form)?.focus()
    }
    running.start()
    dispatch({ type: 'submitted', again, corrects })
    if (matchMedia('(pointer: coarse)').matches) fieldOf(form)?.blur() // closes the phone's keyboard
    const { address } = parsed
    const first = corrects?.address === address ? undefined : corrects
    const attribution = { form: name, suggestionAccepted: suggestion.wasAccepted(address) }
    const outcome = await sendSignUp(...requestFor(address, attribution, values))
    showToast(toastFor(outcome, values.supportEmail))
    const signUp = { address, corrected: first?.address, since: Date.now() }
    const note = noteFor(outcome, signUp, Number(values.resendAfterSeconds) * 1000)
    dispatch({ type: 'answered', note })
    if (note && !again) suggestion.fill('')
  }

  const noteActions: NoteActions = {
    sendAgain: (address) => void submit(address, true),
    correctTo: (address) => void submit(address, false, state.note),
    change(corrects) {
      dispatch({ type: 'change', corrects })
      suggestion.fill(corrects?.address ?? '')
      focusToChange(form, corrects !== undefined)
    },
  }
  return { state, suggestion, noteActions, takeFaultBack: () => dispatch({ type: 'valid' }), submit }
}

/** Loads what a sign-up needs. Called when the field gets the focus, so that a page view does not load it. */
export function prepareSignUp(values: PageValues): void {
  void loadNoteText(values)
}

type FormRef = SignUpOptions['form']

/** True from a press until the answer is shown. The state is one render late, and a second press may come before. */
function useRunning(state: SignUpState, form: FormRef) {
  const running = useRef(false)
  useEffect(() => {
    if (!running.current || state.submitting) return
    running.current = false
    showAnswer(form.current, state.note ? '.messages' : '.field')
  }, [state, form])
  return { is: () => running.current, start: () => void (running.current = true) }
}

function fieldOf(form: FormRef) {
  return form.current?.querySelector('input')
}

/** Focuses the field, at once, or a phone shows no keyboard. After a cancelled change the button gets the focus back. */
function focusToChange(form: FormRef, isChanging: boolean) {
  if (isChanging) fieldOf(form)?.focus()
  else setTimeout(() => form.current?.querySelector<HTMLElement>('.note span button')?.focus())
}

/** The address that was probably meant, offered under the field. */
function useSuggestion(form: FormRef) {
  const [address, setAddress] = useState<string>()
  const accepted = useRef('')
  function fill(value: string) {
    const field = fieldOf(form)
    if (field) field.value = value
    setAddress(undefined)
  }
  return {
    address,
    /** Skips the address being corrected: the suggestion would move what the visitor is about to press. */
    check(corrected: string | undefined) {
      const typed = fieldOf(form)?.value ?? ''
      if (typed !== corrected) setAddress(suggestAddress(typed))
    },
    forget: () => setAddress(undefined),
    accept(meant: string) {
      accepted.current = meant
      fill(meant)
      fieldOf(form)?.focus()
    },
    fill,
    wasAccepted: (typed: string) => typed === accepted.current,
  }
}

/** Adds our headers for our own origin only: elsewhere they could fail the preflight. */
function requestFor(
  address: string,
  attribution: { form: string; suggestionAccepted: boolean },
  { functionsUrl, anonKey, campaign: posted }: PageValues,
): Parameters<typeof sendSignUp> {
  const { href, origin } = new URL(functionsUrl, location.href)
  const campaign = posted || new URLSearchParams(location.search).get('utm_source')
  const headers: Record<string, string> = {}
  if (origin === location.origin) headers[attributionHeader] = formatAttribution({ ...attribution, campaign })
  return [address, headers, { functionsUrl: href, anonKey }]
}

/** Returns the focus to the button, which lost it when it was disabled, and scrolls the answer out from under the toasts. */
function showAnswer(form: HTMLFormElement | null, answer: string) {
  const active = document.activeElement
  if (active === null || active === document.body)
    form?.querySelector<HTMLElement>('.button')?.focus({ preventScroll: true })
  form?.querySelector(answer)?.scrollIntoView({ block: 'nearest' })
}
