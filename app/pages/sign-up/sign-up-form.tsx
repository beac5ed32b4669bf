import { useRef } from 'react'
import { signUpPath } from '#contract/sign-up.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import { SubmitButton, TextButton } from '../ui/button.tsx'
import { AlertDiamond } from '../ui/glyphs.tsx'
import { SuccessNote } from './success-note.tsx'
import { type ChosenAddress, useSignUp } from './use-sign-up.ts'

interface SignUpFormProps {
  /** Distinguishes the forms of a page. */
  id: string
  /** The form's name in the attribution. */
  form: string
  /** The accessible name. */
  name: string
  button: string
  compact?: boolean
  /** What a plain form posted, on a page that gives it back. */
  posted?: { address: string; campaign: string; invalid: boolean }
}

/** Works as a plain HTML form until it is hydrated, and without JavaScript. */
export function SignUpForm(props: SignUpFormProps) {
  const { id, form, name, button, compact = false, posted } = props
  const fieldId = `${id}-email`
  const formRef = useRef<HTMLFormElement>(null)
  const signUp = useSignUp(formRef, form)
  const { submitting, message, note } = signUp.state
  const invalid = posted?.invalid || message?.kind === 'invalid'
  return (
    <form
      className={compact ? 'sign-up compact' : 'sign-up'}
      method="post"
      action={signUpPath}
      aria-label={name}
      onSubmit={signUp.submit}
      ref={formRef}
    >
      <div>
        <label className="label" htmlFor={fieldId}>
          {signUpText.label}
        </label>
        <div className="row">
          <input
            className="field"
            id={fieldId}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            required
            placeholder={signUpText.placeholder}
            {...(invalid && { 'aria-invalid': true, 'aria-describedby': `${fieldId}-fault` })}
            defaultValue={posted?.address}
            readOnly={submitting}
            onInput={({ currentTarget }) => signUp.typed(currentTarget.value)}
          />
          <SubmitButton busy={submitting}>
            {submitting ? signUpText.processing : button}
          </SubmitButton>
        </div>
      </div>
      <div className="messages">
        {invalid && (
          <p className="fault" id={`${fieldId}-fault`}>
            <AlertDiamond />
            {signUpText.invalid}
          </p>
        )}
        <div role="status" aria-atomic="false">
          {message?.kind === 'slip' && <Slip {...message} onChoose={signUp.choose} />}
          {message?.kind === 'wait' && (
            <p className="asked">{signUpText.wait.join(message.time)}</p>
          )}
        </div>
        <SuccessNote note={note} onSendAgain={signUp.sendAgain} onChange={signUp.change} />
      </div>
      <input type="hidden" name="form" value={form} />
      {posted && <input type="hidden" name="campaign" value={posted.campaign} />}
    </form>
  )
}

function Slip(props: { typed: string; meant: string; onChoose: (answer: ChosenAddress) => void }) {
  const { typed, meant, onChoose } = props
  const { question, use, keep } = signUpText.slip
  return (
    <p className="asked">
      <span>{question}</span>
      <TextButton onClick={() => onChoose({ address: meant, wasSuggested: true })}>
        {use} {meant}
      </TextButton>
      <TextButton onClick={() => onChoose({ address: typed, wasSuggested: false })}>
        {keep}
      </TextButton>
    </p>
  )
}
