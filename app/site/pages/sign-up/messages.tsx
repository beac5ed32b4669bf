import { shownAddress } from '#contract/shown-address.ts'
import { fill } from '#site/text/fill.ts'
import { Filled } from '#site/text/filled.tsx'
import { Address } from '../ui/address.tsx'
import { TextButton } from '../ui/button.tsx'
import { AlertDiamond } from '../ui/glyphs.tsx'
import type { FormWords } from './form-words.ts'
import { clockTime } from './note/note-words.ts'
import type { FieldMessage, SignUpNote } from './sign-up-state.ts'
import { SuccessNote } from './note/success-note.tsx'
import type { ChosenAddress } from './use-sign-up.ts'

interface MessagesProps {
  words: FormWords
  message: FieldMessage | undefined
  note: SignUpNote | undefined
  /** The id of the fault, which describes the field. */
  faultId: string
  /** Takes the visitor's answer to the question about a typo. */
  onChoose: (answer: ChosenAddress) => void
  /** Repeats the sign-up, which sends the mail again. */
  onSendAgain: (address: string) => void
  /** Puts the address back into the field, to be changed. */
  onChange: (address: string) => void
}

/** Where no code runs. */
export const quiet = { note: undefined, onChoose: noop, onSendAgain: noop, onChange: noop }

function noop(): void {}

/** Below the field. The live regions are in the page before their text. */
export function Messages(props: MessagesProps) {
  const { words, message, note, faultId, onChoose, onSendAgain, onChange } = props
  return (
    <>
      <div className="fault-place" role="alert">
        {message?.kind === 'invalid' && <Fault id={faultId} words={words.signUp.invalid} />}
      </div>
      <div role="status" aria-atomic="false">
        {message && <Question message={message} words={words} onChoose={onChoose} />}
      </div>
      <SuccessNote words={words} note={note} onSendAgain={onSendAgain} onChange={onChange} />
    </>
  )
}

function Fault({ id, words }: { id: string; words: string }) {
  return (
    <p className="fault" id={id}>
      <AlertDiamond />
      <span>{words}</span>
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
    <p className="asked" key={typed}>
      <span>
        <Filled text={question} meant={<Address>{shownAddress(meant)}</Address>} />
      </span>
      <TextButton onClick={() => onChoose({ address: meant, wasSuggested: true })}>
        {use}
      </TextButton>
      <TextButton onClick={() => onChoose({ address: typed, wasSuggested: false })}>
        <Filled text={keep} typed={<Address>{shownAddress(typed)}</Address>} />
      </TextButton>
    </p>
  )
}
