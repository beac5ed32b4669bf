import { useRef } from 'react'
import { signUpPath } from '#contract/sign-up.ts'
import { signUpText } from '#content/sign-up.ts'
import type { PageValues } from '../page-values.ts'
import { SubmitButton } from '../ui/button.tsx'
import { FieldFault, TextField } from '../ui/text-field.tsx'
import { AddressSuggestion } from './address-suggestion.tsx'
import { SuccessNote } from './success-note.tsx'
import { useHydrated, useSignUpForm } from './use-sign-up-form.ts'

interface SignUpFormProps {
  /** Tells the forms of a page apart. */
  id: string
  /** Its name in the owner's counts. */
  form: string
  /** Its accessible name. */
  name: string
  button: string
  compact?: boolean
  /** The value was posted without JavaScript and found invalid. */
  invalidValue?: string
  values: PageValues
}

/** Works as a plain HTML form until it is hydrated, and without JavaScript. */
export function SignUpForm({
  id,
  form: formName,
  name,
  button,
  compact = false,
  invalidValue,
  values,
}: SignUpFormProps) {
  const fieldId = `${id}-email`
  const field = useRef<HTMLInputElement>(null)
  const press = useRef<HTMLButtonElement>(null)
  const form = useSignUpForm({
    ...{ field, button: press, values, form: formName },
    startsInvalid: invalidValue !== undefined,
  })
  const { submitting, invalid, success } = form.state
  return (
    <form
      className={compact ? 'sign-up compact' : 'sign-up'}
      method="post"
      action={signUpPath}
      aria-label={name}
      noValidate={useHydrated()}
      onSubmit={form.onSubmit}
    >
      <TextField
        {...addressField}
        id={fieldId}
        ref={field}
        invalid={invalid}
        defaultValue={invalidValue}
        readOnly={submitting}
        onInput={form.forgetSuggestion}
        onBlur={form.checkForSlip}
      >
        <SubmitButton busy={submitting} ref={press}>
          {submitting ? signUpText.processing : button}
        </SubmitButton>
      </TextField>
      <div className="messages">
        {invalid && <FieldFault fieldId={fieldId}>{signUpText.invalid}</FieldFault>}
        <AddressSuggestion address={form.suggestion} onAccept={form.acceptSuggestion} />
        <SuccessNote
          success={success}
          resendAfterSeconds={values.resendAfterSeconds}
          onResend={form.sendAgain}
        />
      </div>
      <input type="hidden" name="form" value={formName} />
      {values.source !== '' && <input type="hidden" name="utm_source" value={values.source} />}
    </form>
  )
}

const addressField = {
  label: signUpText.label,
  name: 'email',
  type: 'email',
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
  required: true,
  placeholder: signUpText.placeholder,
} as const
