import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { suggestAddress } from '#contract/address-slip.ts'
import { findEmailAddress } from '#contract/email-address.ts'
import { attributionHeader, formatAttribution } from '#contract/sign-up.ts'
import type { ShowToast } from '../ui/toaster.tsx'
import type { FormWords } from './form-words.ts'
import { sendSignUp, type CallOutcome } from './send-sign-up.ts'
import type { FieldMessage, SignUpNote, SignUpState } from './sign-up-state.ts'
import { toastFor } from './sign-up-toast.tsx'

const idle: SignUpState = { submitting: false, message: undefined, note: undefined }

interface SignUpOptions {
  words: FormWords
  showToast: ShowToast
}

/** The state of one form, and what the buttons below its field do. */
interface SignUpControls {
  state: SignUpState
  sendAgain(address: string): void
  /** Takes the visitor's answer to the question about a slip. */
  choose(answer: ChosenAddress): void
  /** Puts the address back into the field, to be changed. */
  change(address: string): void
}

/** The behaviour of one form: its state, its value and its focus. */
export function useSignUp(form: HTMLFormElement, options: SignUpOptions): SignUpControls {
  const { state, update, send } = useSending(form, options)
  const chosen = useRef<ChosenAddress>({ address: '', wasSuggested: false })
  const { field } = partsOf(form)

  function submit(event: Event) {
    event.preventDefault()
    if (state.submitting) return
    options.showToast(undefined)
    const address = findEmailAddress(field.value)?.address
    const message = doubtOf(address, chosen.current)
    if (message?.kind === 'invalid') field.focus()
    else if (matchMedia('(pointer: coarse)').matches) field.blur() // a phone's keyboard would cover the answer
    if (message) update({ message, note: undefined })
    else if (address) void send(address, chosen.current)
  }

  /** Takes the message back once it does not hold any more. */
  function typed() {
    if (state.message?.kind !== 'invalid' || findEmailAddress(field.value)) {
      update({ message: undefined })
    }
  }

  useFormEvents(form, { submit, typed })
  return {
    state,
    sendAgain: (address) => void send(address, chosen.current, true),
    choose(answer) {
      chosen.current = answer
      field.value = answer.address
      void send(answer.address, answer)
    },
    change(address) {
      field.value = address
      field.focus() // at once, or a phone shows no keyboard
    },
  }
}

/** The form is not React's: it listens at the element itself. */
function useFormEvents(
  form: HTMLFormElement,
  { submit, typed }: { submit: (event: Event) => void; typed: () => void },
): void {
  useLayoutEffect(() => {
    form.setAttribute('novalidate', '') // until now the browser has checked the address
    form.addEventListener('submit', submit)
    form.addEventListener('input', typed)
    return () => {
      form.removeEventListener('submit', submit)
      form.removeEventListener('input', typed)
    }
  })
}

/** The state of the form, and how an address is sent. */
function useSending(form: HTMLFormElement, { words, showToast }: SignUpOptions) {
  const [state, update] = useReducer(
    (before: SignUpState, changes: Partial<SignUpState>) => ({ ...before, ...changes }),
    idle,
  )
  const { submitting, message } = state
  const [label] = useState(() => partsOf(form).button.textContent)
  const wasSubmitting = useRef(false)
  useLayoutEffect(() => {
    showState(form, state, submitting ? words.signUp.processing : label)
  })
  useEffect(() => {
    if (!submitting && (message || wasSubmitting.current)) showAnswer(form)
    wasSubmitting.current = submitting
  }, [submitting, message, form])
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
    const headers = origin === location.origin ? attributionOf(form, address, chosen) : {}
    const outcome = await sendSignUp(address, headers, { functionsUrl: href, anonKey })
    const toast = toastFor(outcome, words.signUp.toasts, supportEmail)
    showToast(toast, connectedElement(opener) ?? partsOf(form).button)
    const note = noteFor(outcome, address)
    update({ submitting: false, message: waitAfter(outcome), note: note ?? noteBefore })
    if (note && !again) partsOf(form).field.value = ''
  }
  return { state, update, send }
}

/** What changes in the form itself. */
function showState(form: HTMLFormElement, { submitting, message }: SignUpState, label: string) {
  const { field, button } = partsOf(form)
  field.readOnly = submitting
  button.disabled = submitting
  if (button.textContent !== label) button.textContent = label
  if (message?.kind === 'invalid') {
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', faultId(form))
  } else {
    field.removeAttribute('aria-invalid')
    field.removeAttribute('aria-describedby')
  }
}

/** The id of the fault below the field. */
export function faultId(form: HTMLFormElement): string {
  return `${partsOf(form).field.id}-fault`
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

function partsOf(form: HTMLFormElement) {
  const field = form.querySelector<HTMLInputElement>('[name=email]')
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')
  if (!field || !button) throw new Error('The form lacks its field or its button')
  return { field, button }
}

/** Returns undefined for a button that has left the page. */
function connectedElement(element: Element | null): Element | undefined {
  return element?.isConnected && element !== document.body ? element : undefined
}

/** How long until a resend is possible, unless the answer says so. */
const usualWaitMs = 15 * 60_000

function noteFor(outcome: CallOutcome, address: string): SignUpNote | undefined {
  if (outcome.kind === 'refused' || outcome.kind === 'unreachable') return undefined
  const since = Date.now()
  return { ...outcome, address, since, resendAt: since + (outcome.resendInMs ?? usualWaitMs) }
}

function waitAfter(outcome: CallOutcome): FieldMessage | undefined {
  if (outcome.kind !== 'refused' || outcome.retryInMs === undefined) return undefined
  const since = Date.now()
  return { kind: 'wait', until: since + outcome.retryInMs, since }
}

function attributionOf(
  { elements }: HTMLFormElement,
  address: string,
  chosen: ChosenAddress,
): Record<string, string> {
  const named = elements.namedItem('form')
  const form = named instanceof HTMLInputElement ? named.value : ''
  const campaign = new URLSearchParams(location.search).get('utm_source')
  const suggestionAccepted = chosen.wasSuggested && chosen.address === address
  return { [attributionHeader]: formatAttribution({ form, campaign, suggestionAccepted }) }
}

/**
 * Returns the focus to the button, which lost it when it was disabled, and scrolls what answers the
 * press into view, out from under the toasts.
 */
function showAnswer(form: HTMLFormElement) {
  const active = document.activeElement
  if (active === null || active === document.body) {
    partsOf(form).button.focus({ preventScroll: true })
  }
  const answers = ['.fault', '.asked', '.note', '.field']
  const answer = answers.map((one) => form.querySelector(one)).find((one) => one !== null)
  answer?.scrollIntoView({ block: 'nearest' })
}
