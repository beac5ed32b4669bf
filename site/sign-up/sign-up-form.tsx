import { useRef, useState, useSyncExternalStore, type SubmitEvent } from 'react'
import { signUpFunction, signUpPath } from '#contract/sign-up.ts'
import { signUpText } from '#content/sign-up.ts'
import type { PageValues } from '../page-values.ts'
import { SubmitButton } from '../ui/button.tsx'
import { FieldFault, TextField } from '../ui/text-field.tsx'
import { AddressSuggestion } from './address-suggestion.tsx'
import { isSuccess } from './sign-up-state.ts'
import { SuccessNote } from './success-note.tsx'
import { suggestAddress } from './suggest-address.ts'
import { useSignUp } from './use-sign-up.ts'

interface SignUpFormProps {
  /** Tells the forms of a page apart. */
  id: string
  /** Its accessible name. */
  name: string
  button: string
  compact?: boolean
  /** The value was posted without JavaScript and found invalid. */
  invalidValue?: string
  values: PageValues
}

/** Works as a plain HTML form until it is hydrated, and without JavaScript. */
export function SignUpForm({ id, name, button, compact = false, invalidValue, values }: SignUpFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const press = useRef<HTMLButtonElement>(null)
  const fieldId = `${id}-email`
  const hydrated = useHydrated()
  const [suggestion, setSuggestion] = useState<string>()
  const { state, submit } = useSignUp({
    backend: () => ({ functionsUrl: functionsUrl(), anonKey: values.anonKey }),
    supportEmail: values.supportEmail,
    startsInvalid: invalidValue !== undefined,
  })

  async function send(typed: string, again = false) {
    const outcome = await submit(typed, again)
    if (outcome === undefined) return
    setSuggestion(suggestAddress(typed))
    if (outcome === 'invalid') return field.current?.focus()
    if (isSuccess(outcome) && field.current && !again) field.current.value = ''
    setTimeout(() => focusIfLost(press.current)) // not before the button is enabled again
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    void send(field.current?.value ?? '')
  }

  return (
    <form
      className={compact ? 'sign-up compact' : 'sign-up'}
      method="post"
      action={signUpPath}
      aria-label={name}
      noValidate={hydrated}
      onSubmit={onSubmit}
    >
      <TextField
        id={fieldId}
        ref={field}
        label={signUpText.label}
        invalid={state.invalid}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        placeholder={signUpText.placeholder}
        defaultValue={invalidValue}
        readOnly={state.submitting}
        onInput={() => setSuggestion(undefined)}
        onBlur={(event) => setSuggestion(suggestAddress(event.target.value))}
      >
        <SubmitButton busy={state.submitting} ref={press}>
          {state.submitting ? signUpText.processing : button}
        </SubmitButton>
      </TextField>
      <div className="messages">
        {state.invalid && <FieldFault fieldId={fieldId}>{signUpText.invalid}</FieldFault>}
        <AddressSuggestion
          address={suggestion}
          onAccept={(address) => {
            if (field.current) field.current.value = address
            setSuggestion(undefined)
            field.current?.focus()
          }}
        />
        <SuccessNote
          success={state.success}
          resendAfterSeconds={values.resendAfterSeconds}
          onResend={(address) => void send(address, true)}
        />
      </div>
    </form>
  )
}

/** False while the markup of the build is taken over, so that both agree. */
function useHydrated(): boolean {
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
