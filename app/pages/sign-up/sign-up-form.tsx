import { useRef } from 'react'
import { parseEmailAddress } from '#contract/email-address.ts'
import { signUpPath } from '#contract/sign-up.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import type { PageValues } from '../page-values.ts'
import { SubmitButton, TextButton } from '../ui/button.tsx'
import { FieldFault, TextField } from '../ui/text-field.tsx'
import { SuccessNote } from './success-note.tsx'
import { prepareSignUp, useSignUp } from './use-sign-up.ts'

interface SignUpFormProps {
  /** Distinguishes the forms of a page. */
  id: string
  /** The form's name in the attribution. */
  form: string
  /** The accessible name. */
  name: string
  button: string
  compact?: boolean
  startsInvalid?: boolean
  values: PageValues
}

/** Works as a plain HTML form until it is hydrated, and without JavaScript. */
export function SignUpForm(props: SignUpFormProps) {
  const { id, form, name, button, compact = false, startsInvalid = false, values } = props
  const fieldId = `${id}-email`
  const formRef = useRef<HTMLFormElement>(null)
  const options = { form: formRef, values, name: form, startsInvalid }
  const { state, suggestion, takeFaultBack, submit, noteActions } = useSignUp(options)
  const { submitting, invalid } = state
  return (
    <form
      className={compact ? 'sign-up compact' : 'sign-up'}
      method="post"
      action={signUpPath}
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      ref={formRef}
    >
      <TextField
        id={fieldId}
        label={signUpText.label}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        placeholder={signUpText.placeholder}
        invalid={invalid}
        defaultValue={values.address || undefined}
        readOnly={submitting}
        onFocus={() => prepareSignUp(values)}
        onInput={({ currentTarget }) => {
          suggestion.forget()
          if (invalid && parseEmailAddress(currentTarget.value)) takeFaultBack()
        }}
        onBlur={() => suggestion.check(state.corrects?.address)}
      >
        <SubmitButton busy={submitting}>{submitting ? signUpText.processing : button}</SubmitButton>
      </TextField>
      <div className="messages">
        {invalid && <FieldFault fieldId={fieldId}>{signUpText.invalid}</FieldFault>}
        <AddressSuggestion address={suggestion.address} onAccept={suggestion.accept} />
        <SuccessNote state={state} values={values} actions={noteActions} />
      </div>
      <input type="hidden" name="form" value={form} />
      {values.campaign !== '' && <input type="hidden" name="campaign" value={values.campaign} />}
    </form>
  )
}

function AddressSuggestion(props: { address: string | undefined; onAccept: (address: string) => void }) {
  const { address, onAccept } = props
  const { before, after } = signUpText.suggestion
  return (
    <div role="status" aria-atomic="false">
      {address && (
        <p className="suggestion">
          {before}
          <TextButton onClick={() => onAccept(address)}>{address}</TextButton>
          {after}
        </p>
      )}
    </div>
  )
}
