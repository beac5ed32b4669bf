import { type RefObject, useEffect, useReducer, useRef } from 'react'
import { suggestAddress } from '#contract/address-slip.ts'
import { findEmailAddress } from '#contract/email-address.ts'
import { attributionHeader, formatAttribution } from '#contract/sign-up.ts'
import type { ShowToast } from '../ui/toaster.tsx'
import type { FormWords } from './form-words.ts'
import { sendSignUp, type SignUpOutcome } from './send-sign-up.ts'
import type { FieldMessage, SignUpNote, SignUpState } from './sign-up-state.ts'
import { toastFor } from './sign-up-toast.tsx'

type FormRef = RefObject<HTMLFormElement | null>

const idle: SignUpState = { submitting: false, message: undefined, note: undefined }

interface SignUpOptions {
  /** The form's name in the attribution. */
  name: string
  words: FormWords
  showToast: ShowToast
}

/** The state of one form, and what its buttons and its field do. */
interface SignUpControls {
  state: SignUpState
  submit(event: { preventDefault: () => void }): void
  sendAgain(address: string): void
  /** Takes the visitor's answer to the question about a slip. */
  choose(answer: ChosenAddress): void
  /** Puts the address back into the field, to be changed. */
  change(address: string): void
  /** Takes the message back once it does not hold any more. */
  typed(value: string): void
}

/** The behaviour of one form: its state, its value and its focus. */
export function useSignUp(form: FormRef, options: SignUpOptions): SignUpControls {
  const { showToast } = options
  const { state, update, send } = useSending(form, options)
  const chosen = useRef<ChosenAddress>({ address: '', wasSuggested: false })
  // The browser's validation checks the address until the form is hydrated.
  useEffect(() => form.current?.setAttribute('novalidate', ''), [form])
  return {
    state,
    submit(event) {
      event.preventDefault()
      if (state.submitting) return
      showToast(undefined)
      const field = fieldOf(form.current)
      const address = findEmailAddress(field?.value ?? '')?.address
      const message = doubtOf(address, chosen.current)
      if (message?.kind === 'invalid') {
        field?.focus()
      } else if (matchMedia('(pointer: coarse)').matches) {
        field?.blur() // a phone's keyboard would cover the answer
      }
      if (message) update({ message, note: undefined })
      else if (address) void send(address, chosen.current)
    },
    sendAgain: (address) => void send(address, chosen.current, true),
    choose(answer) {
      chosen.current = answer
      setFieldValue(form.current, answer.address)
      void send(answer.address, answer)
    },
    change(address) {
      setFieldValue(form.current, address)
      fieldOf(form.current)?.focus() // at once, or a phone shows no keyboard
    },
    typed(value) {
      if (state.message?.kind !== 'invalid' || findEmailAddress(value)) {
        update({ message: undefined })
      }
    },
  }
}

/** The state of the form, and how an address is sent. */
function useSending(form: FormRef, { name, words, showToast }: SignUpOptions) {
  const [state, update] = useReducer(
    (before: SignUpState, changes: Partial<SignUpState>) => ({ ...before, ...changes }),
    idle,
  )
  const wasSubmitting = useRef(false)
  useEffect(() => {
    if (wasSubmitting.current && !state.submitting) showAnswer(form.current)
    wasSubmitting.current = state.submitting
  }, [state.submitting, form])
  async function send(address: string, chosen: ChosenAddress, again = false) {
    if (state.submitting) return
    const opener = document.activeElement // a disabled button loses the focus
    // "Send it again" is a button in the note, so the note stays.
    const noteBefore = again ? state.note : undefined
    update({ submitting: true, message: undefined, note: noteBefore })
    showToast(undefined)
    const { functionsUrl, anonKey, supportEmail } = pageValues()
    const { href, origin } = new URL(functionsUrl, location.href)
    // Elsewhere the header could fail the preflight.
    const headers = origin === location.origin ? attributionOf(name, address, chosen) : {}
    const outcome = await sendSignUp(address, headers, { functionsUrl: href, anonKey })
    const toast = toastFor(outcome, words.signUp.toasts, supportEmail)
    showToast(toast, connectedElement(opener) ?? buttonOf(form.current))
    const note = noteFor(outcome, address)
    update({ submitting: false, message: waitAfter(outcome), note: note ?? noteBefore })
    if (note && !again) setFieldValue(form.current, '')
  }
  return { state, update, send }
}

/**
 * The values that the server has filled in. `functionsUrl`: without the function's name; a path on
 * our own origin, or a whole address elsewhere.
 */
function pageValues() {
  const {
    functionsUrl = '',
    anonKey = '',
    supportEmail = '',
  } = document.getElementById('app')?.dataset ?? {}
  return { functionsUrl, anonKey, supportEmail }
}

/** The answer to the question about a slip. */
export interface ChosenAddress {
  address: string
  /** It is the one that we asked about. */
  wasSuggested: boolean
}

/** Returns the message that keeps the address from being sent, if there is one. */
function doubtOf(address: string | undefined, chosen: ChosenAddress): FieldMessage | undefined {
  if (address === undefined) return { kind: 'invalid' }
  const meant = suggestAddress(address)
  return meant && chosen.address !== address ? { kind: 'slip', typed: address, meant } : undefined
}

function fieldOf(form: HTMLFormElement | null) {
  return form?.querySelector('input')
}

function setFieldValue(form: HTMLFormElement | null, value: string) {
  const field = fieldOf(form)
  if (field) field.value = value
}

/** Returns undefined for a button that has left the page. */
function connectedElement(element: Element | null): Element | undefined {
  return element?.isConnected && element !== document.body ? element : undefined
}

function buttonOf(form: HTMLFormElement | null) {
  return form?.querySelector<HTMLElement>('.button') ?? null
}

/** How long until a resend is possible, unless the answer says so. */
const usualWaitMs = 15 * 60_000

function noteFor(outcome: SignUpOutcome, address: string): SignUpNote | undefined {
  if (outcome.kind === 'refused' || outcome.kind === 'unreachable') return undefined
  const since = Date.now()
  return { ...outcome, address, since, resendAt: since + (outcome.resendInMs ?? usualWaitMs) }
}

function waitAfter(outcome: SignUpOutcome): FieldMessage | undefined {
  if (outcome.kind !== 'refused' || outcome.retryInMs === undefined) return undefined
  const since = Date.now()
  return { kind: 'wait', until: since + outcome.retryInMs, since }
}

function attributionOf(
  form: string,
  address: string,
  chosen: ChosenAddress,
): Record<string, string> {
  const campaign = new URLSearchParams(location.search).get('utm_source')
  const suggestionAccepted = chosen.wasSuggested && chosen.address === address
  return { [attributionHeader]: formatAttribution({ form, campaign, suggestionAccepted }) }
}

/**
 * Returns the focus to the button, which lost it when it was disabled, and scrolls the answer out
 * from under the toasts.
 */
function showAnswer(form: HTMLFormElement | null) {
  const active = document.activeElement
  if (active === null || active === document.body) {
    buttonOf(form)?.focus({ preventScroll: true })
  }
  const answer = form?.querySelector('.note') ?? form?.querySelector('.field')
  answer?.scrollIntoView({ block: 'nearest' })
}
