import { useRef } from 'react'
import { signUpPath } from '#contract/sign-up.ts'
import { fill } from '#site/text/fill.ts'
import type { ShowToast } from '../ui/toaster.tsx'
import { SubmitButton, TextButton } from '../ui/button.tsx'
import { AlertDiamond } from '../ui/glyphs.tsx'
import type { FormWords } from './form-words.ts'
import { clockTime } from './note-words.ts'
import type { FieldMessage } from './sign-up-state.ts'
import { SuccessNote } from './success-note.tsx'
import { type ChosenAddress, useSignUp } from './use-sign-up.ts'
import '../ui/text-field.css'
import './sign-up-form.css'

/** The texts that distinguish a form from the others. They travel with the page. */
export interface FormProps {
  /** Distinguishes the forms of a page. */
  id: string
  /** The form's name in the attribution. */
  form: string
  /** The accessible name. */
  name: string
  button: string
  compact?: boolean
}

interface SignUpFormProps extends FormProps {
  words: FormWords
  /** The values that a plain form posted, on a page that gives them back. */
  posted?: { address: string; campaign: string; invalid: boolean }
  /** Left out where no code runs. */
  showToast?: ShowToast
}

/** Works as a plain HTML form until it is hydrated, and without JavaScript. */
export function SignUpForm(props: SignUpFormProps) {
  const { id, form, name, button, compact = false, words, posted, showToast = noToast } = props
  const text = words.signUp
  const fieldId = `${id}-email`
  const formRef = useRef<HTMLFormElement>(null)
  const signUp = useSignUp(formRef, { name: form, words, showToast })
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
          {text.label}
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
            placeholder={text.placeholder}
            {...(invalid && { 'aria-invalid': true, 'aria-describedby': `${fieldId}-fault` })}
            defaultValue={posted?.address}
            readOnly={submitting}
            onInput={({ currentTarget }) => signUp.typed(currentTarget.value)}
          />
          <SubmitButton busy={submitting}>{submitting ? text.processing : button}</SubmitButton>
        </div>
      </div>
      <div className="messages">
        <div className="fault-place" role="alert">
          {invalid && <Fault id={`${fieldId}-fault`} words={text.invalid} />}
        </div>
        <div role="status" aria-atomic="false">
          {message && <Question message={message} words={words} onChoose={signUp.choose} />}
        </div>
        <SuccessNote
          words={words}
          note={note}
          onSendAgain={signUp.sendAgain}
          onChange={signUp.change}
        />
      </div>
      <input type="hidden" name="form" value={form} />
      {posted && <input type="hidden" name="campaign" value={posted.campaign} />}
    </form>
  )
}

function noToast(): void {}

function Fault({ id, words }: { id: string; words: string }) {
  return (
    <p className="fault" id={id}>
      <AlertDiamond />
      {words}
    </p>
  )
}

interface QuestionProps {
  message: FieldMessage
  words: FormWords
  onChoose: (answer: ChosenAddress) => void
}

/** The line under the field, if there is no fault. */
export function Question({ message, words, onChoose }: QuestionProps) {
  switch (message.kind) {
    case 'invalid':
      return undefined
    case 'slip':
      return <Slip {...message} words={words.signUp.slip} onChoose={onChoose} />
    case 'wait': {
      const time = clockTime(message.until, message.since, words.note.time)
      return <p className="asked">{fill(words.signUp.wait, { time })}</p>
    }
  }
}

interface SlipProps {
  words: FormWords['signUp']['slip']
  typed: string
  meant: string
  onChoose: (answer: ChosenAddress) => void
}

function Slip({ words, typed, meant, onChoose }: SlipProps) {
  const { question, use, keep } = words
  return (
    <p className="asked">
      <span>{question}</span>
      <TextButton onClick={() => onChoose({ address: meant, wasSuggested: true })}>
        {fill(use, { address: meant })}
      </TextButton>
      <TextButton onClick={() => onChoose({ address: typed, wasSuggested: false })}>
        {keep}
      </TextButton>
    </p>
  )
}
