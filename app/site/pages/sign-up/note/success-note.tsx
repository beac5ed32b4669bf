import { useEffect, useState } from 'react'
import { shownAddress } from '#contract/shown-address.ts'
import { fill } from '#site/text/fill.ts'
import { Filled } from '#site/text/filled.tsx'
import { Address } from '#site/pages/ui/address.tsx'
import { TextButton } from '#site/pages/ui/button.tsx'
import { HalfSquare, TickedSquare } from '#site/pages/ui/glyphs.tsx'
import type { FormWords } from '../form-words.ts'
import { clockTime, timeOfDay, webmailLink } from './note-words.ts'
import { type NoteView, type SignUpNote, viewOf } from '../sign-up-state.ts'
import { callAt } from './call-at.ts'
import { useReceipt } from './use-receipt.ts'
import './success-note.css'

interface SuccessNoteProps {
  words: FormWords
  note: SignUpNote | undefined
  /** Repeats the sign-up, which sends the mail again. */
  onSendAgain: (address: string) => void
  /** Puts the address back into the field, to be changed. */
  onChange: (address: string) => void
}

/** Stays under the form after a success and follows the mail. */
export function SuccessNote(props: SuccessNoteProps) {
  const { status, ageMs } = useReceipt(props.note)
  const view = props.note && viewOf(props.note, status, ageMs)
  return <Note {...props} view={view} sentAt={status?.handedOverAt} />
}

interface NoteProps extends SuccessNoteProps {
  /** It is undefined if there is no note. */
  view: NoteView | undefined
  /** ISO 8601. */
  sentAt: string | null | undefined
}

/** The live region must be in the page before its text. */
export function Note({ words, note, view, sentAt, onSendAgain, onChange }: NoteProps) {
  const isRunning = view === 'on-its-way' || view === 'slow'
  const isDone = view === 'sent' || view === 'sent-again' || view === 'listed'
  const { question, button } = words.note.change
  return (
    <div className={note && (isRunning ? 'note running' : 'note')}>
      {isDone ? <TickedSquare /> : note && <HalfSquare />}
      <div>
        {/* A screen reader does not read "slower than usual". */}
        <div role="status" aria-atomic aria-live={view === 'slow' ? 'off' : undefined}>
          {view && note && <View words={words} view={view} note={note} sentAt={sentAt} />}
        </div>
        {note && (
          <p className="note-actions">
            {(isDone || view === 'inbox') && (
              <Resend key={note.since} words={words} note={note} onSendAgain={onSendAgain} />
            )}
            <span className="note-question">
              <span>
                <Filled text={question} address={<Address>{shownAddress(note.address)}</Address>} />
              </span>{' '}
              <TextButton onClick={() => onChange(note.address)}>{button}</TextButton>
            </span>
          </p>
        )}
      </div>
    </div>
  )
}

function View(props: {
  words: FormWords
  view: NoteView
  note: SignUpNote
  sentAt: string | null | undefined
}) {
  const { words, view, note, sentAt } = props
  const { heading, text } = words.note.views[view]
  const { brand, subject } = words
  return (
    <>
      <p className="note-heading">
        <span>{heading}</span>
        {sentAt && (view === 'sent' || view === 'sent-again') && (
          <time className="tag mono" dateTime={sentAt} translate="no">
            {timeOfDay(new Date(sentAt))}
          </time>
        )}
      </p>
      {/* With a key the whole paragraph changes: a translator has replaced the words in it. */}
      <p key={view}>
        <Filled
          text={text}
          address={<Address>{shownAddress(note.address)}</Address>}
          brand={brand}
          subject={subject}
        />
      </p>
    </>
  )
}

function Resend({
  words,
  note,
  onSendAgain,
}: {
  words: FormWords
  note: SignUpNote
  onSendAgain: (address: string) => void
}) {
  const { address, since, resendAt } = note
  const [isOver, setIsOver] = useState(resendAt <= since)
  useEffect(() => callAt(resendAt, () => setIsOver(true)), [resendAt])
  const text = words.note
  const webmail = webmailLink(address, words.brand)
  return (
    <>
      {webmail && (
        <a className="text-button" href={webmail.href} target="_blank" rel="noopener noreferrer">
          {fill(text.openWebmail, { webmail: webmail.name })}
          <span className="unseen"> {text.opensNewTab}</span>
        </a>
      )}
      {isOver ? (
        <span className="note-question">
          <span>{text.resend.question}</span>{' '}
          <TextButton onClick={() => onSendAgain(address)}>{text.resend.button}</TextButton>
        </span>
      ) : (
        <span className="soft">
          {fill(text.resendLater, { time: clockTime(resendAt, since, text.time) })}
        </span>
      )}
    </>
  )
}
