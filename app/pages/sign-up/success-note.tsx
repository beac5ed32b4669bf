import { useEffect, useState } from 'react'
import { shownAddress } from '#contract/shown-address.ts'
import { noteText as text } from '#content/pages/note.ts'
import { TextButton } from '../ui/button.tsx'
import { HalfSquare, TickedSquare } from '../ui/glyphs.tsx'
import { clockTime, timeOfDay, webmailLink } from './note-words.ts'
import { type NoteView, type SignUpNote, viewOf } from './sign-up-state.ts'
import { useReceipt } from './use-receipt.ts'

interface SuccessNoteProps {
  note: SignUpNote | undefined
  /** Repeats the sign-up, which sends the mail again. */
  onSendAgain: (address: string) => void
  /** Puts the address back into the field, to be changed. */
  onChange: (address: string) => void
}

/**
 * Stays under the form after a success and follows the mail. The live region must be in the page
 * before its text.
 */
export function SuccessNote({ note, onSendAgain, onChange }: SuccessNoteProps) {
  const { status, ageMs } = useReceipt(note)
  const view = note && viewOf(note, status, ageMs)
  const isRunning = view === 'on-its-way' || view === 'slow'
  const isDone = view === 'sent' || view === 'listed'
  const [before, after, button] = text.change
  return (
    <div className={note && (isRunning ? 'note running' : 'note')}>
      {isDone ? <TickedSquare /> : note && <HalfSquare />}
      <div>
        {/* A screen reader does not read "slower than usual". */}
        <div role="status" aria-atomic aria-live={view === 'slow' ? 'off' : undefined}>
          {view && <Words view={view} address={note.address} sentAt={status?.handedOverAt} />}
        </div>
        {note && (
          <p className="note-actions">
            {(isDone || view === 'inbox') && (
              <Resend key={note.since} note={note} onSendAgain={onSendAgain} />
            )}
            <span>
              {before}
              <span className="address">{shownAddress(note.address)}</span>
              {after} <TextButton onClick={() => onChange(note.address)}>{button}</TextButton>
            </span>
          </p>
        )}
      </div>
    </div>
  )
}

function Words(props: { view: NoteView; address: string; sentAt: string | null | undefined }) {
  const { view, address, sentAt } = props
  const [before, after] = text.views[view].text.split('{address}')
  return (
    <>
      <p className="note-heading">
        {text.views[view].heading}{' '}
        {view === 'sent' && sentAt && (
          <time className="tag" dateTime={sentAt}>
            {timeOfDay(new Date(sentAt))}
          </time>
        )}
      </p>
      {before}
      {after !== undefined && <span className="address">{shownAddress(address)}</span>}
      {after}
    </>
  )
}

function Resend({
  note,
  onSendAgain,
}: {
  note: SignUpNote
  onSendAgain: (address: string) => void
}) {
  const { address, since, resendAt } = note
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), resendAt - Date.now())
    return () => clearTimeout(timer)
  }, [resendAt])
  const webmail = webmailLink(address)
  return (
    <>
      {webmail && (
        <a className="text-button" href={webmail.href} target="_blank" rel="noopener noreferrer">
          {text.openWebmail} {webmail.name}
          <span className="unseen"> {text.opensNewTab}</span>
        </a>
      )}
      {isOver ? (
        <span>
          {text.resend[0]}{' '}
          <TextButton onClick={() => onSendAgain(address)}>{text.resend[1]}</TextButton>
        </span>
      ) : (
        <span className="soft">{text.resendLater.join(clockTime(resendAt, since))}</span>
      )}
    </>
  )
}
