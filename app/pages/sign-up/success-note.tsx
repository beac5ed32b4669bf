import { useEffect, useState } from 'react'
import type { PageValues } from '../page-values.ts'
import { TextButton } from '../ui/button.tsx'
import { AlertDiamond, HalfSquare, TickedSquare } from '../ui/glyphs.tsx'
import { suggestAddress, webmailLink } from './mail-services.ts'
import { fillIn, loadNoteText, type NoteText, resendInWords, timeOfDay } from './note-words.ts'
import { isChanging, type NoteView, type SignUpNote, type SignUpState, viewOf } from './sign-up-state.ts'
import { useReceipt } from './use-receipt.ts'

export interface NoteActions {
  /** Repeats the sign-up, which sends the mail again. */
  sendAgain: (address: string) => void
  /** Signs this address up in place of the note's. */
  correctTo: (address: string) => void
  /** Puts the address of the sign-up into the field to be changed; undefined cancels the change. */
  change: (corrects: SignUpNote | undefined) => void
}

/** The mail is on its way, and the view may still change. */
const running = new Set<NoteView>(['on-its-way', 'cancelled', 'left', 'again', 'slow'])

/** Stays under the form after a success and follows the mail. The live region must be in the page before its text. */
export function SuccessNote(props: { state: SignUpState; values: PageValues; actions: NoteActions }) {
  const { state, values, actions } = props
  const { note, submitting } = state
  const [text, setText] = useState<NoteText>()
  // The note waits for its words, the form does not: on a bad line they may come long after the answer.
  useEffect(() => {
    if (submitting) void loadNoteText(values).then(setText)
  }, [submitting, values])
  const { status, age } = useReceipt(note)
  const view = note && (isChanging(state) ? 'change' : viewOf(note, status, age))
  const shown = text && view && { note, text, view }
  const showsTime = shown?.text.views[shown.view].text.includes('{time}')
  const leftAt = (showsTime && status?.handedOverAt) || undefined
  return (
    <div className={shown && (running.has(shown.view) ? 'note running' : 'note')}>
      {view === 'ceiling' ? <AlertDiamond /> : showsTime ? <TickedSquare /> : shown && <HalfSquare />}
      <div>
        {/* A screen reader does not read "slower than usual". */}
        <div role="status" aria-atomic aria-live={view === 'slow' ? 'off' : undefined}>
          {shown && <Words {...shown} leftAt={leftAt} emails={values.mailsADay} />}
        </div>
        {shown && <Actions {...shown} actions={actions} age={age} />}
      </div>
    </div>
  )
}

interface NoteProps {
  note: SignUpNote
  text: NoteText
  view: NoteView
}

function Words({ leftAt, emails, ...props }: NoteProps & { leftAt: string | undefined; emails: string }) {
  const { note, text, view } = props
  const { heading, text: sentence } = text.views[view]
  const time = leftAt && timeOfDay(new Date(leftAt))
  const address = <Address key="address">{note.address}</Address>
  const old = <Address key="old">{note.corrected}</Address>
  return (
    <>
      <p className="note-heading">
        {heading}
        {leftAt && (
          <time className="tag" dateTime={leftAt}>
            {time}
          </time>
        )}
      </p>
      {fillIn(sentence, { address, old, time, emails })}
      {view === 'not-taken' && <strong>{address}</strong>}
    </>
  )
}

function Address({ children }: { children: string | undefined }) {
  return <span className="address">{children}</span>
}

/** `age`: in seconds. */
function Actions({ age, ...props }: NoteProps & { actions: NoteActions; age: number }) {
  const { view, note, text, actions } = props
  const now = note.since + age * 1000
  if (view === 'all-slow' || view === 'hidden-slow') return null
  if (view === 'change')
    return <TextButton onClick={() => actions.change(undefined)}>{text.leave}</TextButton>
  if (view === 'ceiling') return <p className="soft">{resendInWords(text, note.resendAt, now)}</p>
  if (running.has(view) || view === 'not-taken' || view === 'hidden') return <Correction {...props} />
  return (
    <p className="note-actions">
      <OpenWebmail address={note.address} text={text} />
      {now < note.resendAt ? (
        <span className="soft">{resendInWords(text, note.resendAt, now)}</span>
      ) : (
        <span>
          {text.resend[0]}{' '}
          <TextButton onClick={() => actions.sendAgain(note.address)}>{text.resend[1]}</TextButton>
        </span>
      )}
    </p>
  )
}

/** Offers the correction once: the server cancels no mail for a second one. */
function Correction({ view, note, text, actions }: NoteProps & { actions: NoteActions }) {
  const { address, kind, corrected } = note
  const isLate = view === 'not-taken'
  const meant = isLate ? suggestAddress(address) : undefined
  return (
    <>
      {kind === 'sent' && corrected === undefined && (
        <p className="note-actions">
          {meant && (
            <TextButton onClick={() => actions.correctTo(meant)}>
              {text.use} {meant}
            </TextButton>
          )}
          <span>
            {!isLate && fillIn(text.change[0], { address })}{' '}
            <TextButton onClick={() => actions.change(note)}>{text.change[1]}</TextButton>
          </span>
        </p>
      )}
      {isLate && <p className="soft small">{text.spelledRight}</p>}
    </>
  )
}

function OpenWebmail({ address, text }: { address: string; text: NoteText }) {
  const webmail = webmailLink(address, text.webmail)
  if (!webmail) return null
  return (
    <a className="text-button" href={webmail.href} target="_blank" rel="noopener noreferrer">
      {text.openWebmail} {webmail.name}
      <span className="unseen"> {text.opensNewTab}</span>
    </a>
  )
}
