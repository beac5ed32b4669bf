import { type RefObject, useEffect, useReducer, useRef } from 'react'
import { addressSlips } from '#content/address-slips.ts'
import { parseEmailAddress } from '#contract/email-address.ts'
import { attributionHeader, formatAttribution } from '#contract/sign-up.ts'
import type { PageValues } from '../page-values.ts'
import { useShowToast } from '../ui/toaster.tsx'
import { sendSignUp, type SignUpOutcome } from './send-sign-up.ts'
import { type FieldMessage, type SignUpNote, type SignUpState, toastFor } from './sign-up-state.ts'

interface SignUpOptions {
  form: RefObject<HTMLFormElement | null>
  values: PageValues
  /** The form's name in the attribution. */
  name: string
}

/** The behaviour of one form: its state, its value and its focus. */
export function useSignUp({ form, values, name }: SignUpOptions) {
  const [state, update] = useReducer(merge, { submitting: false, message: undefined, note: undefined })
  const running = useRunning(state, form)
  /** The address that the visitor chose when asked about a slip. */
  const chosen = useRef({ address: '', wasSuggested: false })
  const showToast = useShowToast()
  // The browser's validation checks the address until the form is hydrated.
  useEffect(() => form.current?.setAttribute('novalidate', ''), [form])

  async function submit(typed = fieldOf(form)?.value ?? '', again = false) {
    if (running.is()) return
    const address = parseEmailAddress(typed)?.address
    if (!address) {
      update({ message: { kind: 'invalid' }, note: undefined })
      return fieldOf(form)?.focus()
    }
    closeKeyboard(form)
    const meant = meantAddress(address)
    if (meant && !again && chosen.current.address !== address)
      return update({ message: { kind: 'slip', typed: address, meant }, note: undefined })
    running.start()
    // "Send it again" is a button in the note, so the note stays.
    update({ submitting: true, message: undefined, ...(!again && { note: undefined }) })
    showToast(undefined)
    const suggestionAccepted = chosen.current.wasSuggested && chosen.current.address === address
    const outcome = await sendSignUp(...requestFor(address, { form: name, suggestionAccepted }, values))
    showToast(toastFor(outcome, values.supportEmail))
    const note = noteFor(outcome, address)
    update({ submitting: false, message: waitFor(outcome), ...(note && { note }) })
    if (note && !again) fill('')
  }

  function fill(value: string) {
    const field = fieldOf(form)
    if (field) field.value = value
  }

  return {
    state,
    submit,
    sendAgain: (address: string) => void submit(address, true),
    /** `wasSuggested`: the visitor took the address that we asked about. */
    choose(address: string, wasSuggested: boolean) {
      chosen.current = { address, wasSuggested }
      fill(address)
      void submit()
    },
    /** At once, or a phone shows no keyboard. */
    change(address: string) {
      fill(address)
      fieldOf(form)?.focus()
    },
    /** Takes the message back once it does not hold any more. */
    typed(value: string) {
      if (state.message?.kind !== 'invalid' || parseEmailAddress(value)) update({ message: undefined })
    },
  }
}

function merge(state: SignUpState, changes: Partial<SignUpState>): SignUpState {
  return { ...state, ...changes }
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

/** A phone's keyboard would cover the answer. */
function closeKeyboard(form: FormRef) {
  if (matchMedia('(pointer: coarse)').matches) fieldOf(form)?.blur()
}

/** The address that was probably meant, if the domain is a known misspelling. */
function meantAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at).toLowerCase()
  return Object.hasOwn(addressSlips, domain) ? address.slice(0, at) + addressSlips[domain] : undefined
}

/** How long until a resend is possible, unless the answer says so. */
const usualWaitMs = 15 * 60_000

function noteFor(outcome: SignUpOutcome, address: string): SignUpNote | undefined {
  if (outcome.kind === 'refused' || outcome.kind === 'unreachable') return undefined
  const since = Date.now()
  return { ...outcome, address, since, resendAt: since + (outcome.resendInMs ?? usualWaitMs) }
}

function waitFor(outcome: SignUpOutcome): FieldMessage | undefined {
  if (outcome.kind !== 'refused' || outcome.retryInMs === undefined) return undefined
  return { kind: 'wait', until: Date.now() + outcome.retryInMs }
}

/** Adds the attribution for our own origin only: elsewhere the header could fail the preflight. */
function requestFor(
  address: string,
  attribution: { form: string; suggestionAccepted: boolean },
  { functionsUrl, anonKey }: PageValues,
): Parameters<typeof sendSignUp> {
  const { href, origin } = new URL(functionsUrl, location.href)
  const campaign = new URLSearchParams(location.search).get('utm_source')
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
