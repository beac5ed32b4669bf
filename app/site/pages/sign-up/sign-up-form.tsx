import { signUpPath } from '#contract/sign-up.ts'
import { SubmitButton } from '../ui/button.tsx'
import type { FormWords } from './form-words.ts'
import { Messages, quiet } from './messages.tsx'
import '../ui/text-field.css'
import './sign-up-form.css'

interface SignUpFormProps {
  /** Distinguishes the forms of a page. */
  id: string
  /** The form's name in the attribution. */
  form: string
  /** The accessible name. */
  name: string
  button: string
  compact?: boolean
  words: FormWords
  /** The values that a plain form posted, on a page that gives them back. */
  posted?: { address: string; campaign: string; invalid: boolean }
}

/**
 * A plain HTML form. In the browser React takes over the messages below the field and nothing else:
 * translators and extensions change the rest before and after, and what was typed stays.
 */
export function SignUpForm(props: SignUpFormProps) {
  const { id, form, name, button, compact = false, words, posted } = props
  const fieldId = `${id}-email`
  const isInvalid = posted?.invalid === true
  return (
    <form
      className={compact ? 'sign-up compact' : 'sign-up'}
      method="post"
      action={signUpPath}
      aria-label={name}
    >
      <div>
        <label className="label" htmlFor={fieldId}>
          {words.signUp.label}
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
            placeholder={words.signUp.placeholder}
            {...(isInvalid && { 'aria-invalid': true, 'aria-describedby': `${fieldId}-fault` })}
            defaultValue={posted?.address}
          />
          <SubmitButton>{button}</SubmitButton>
        </div>
      </div>
      <div className="messages">
        <Messages
          {...quiet}
          faultId={`${fieldId}-fault`}
          words={words}
          message={isInvalid ? { kind: 'invalid' } : undefined}
        />
      </div>
      <input type="hidden" name="form" value={form} />
      {posted && <input type="hidden" name="campaign" value={posted.campaign} />}
    </form>
  )
}
