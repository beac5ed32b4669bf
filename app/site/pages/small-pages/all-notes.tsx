import type { Content } from '#content/content.ts'
import { formWords } from '../sign-up/form-words.ts'
import { Question } from '../sign-up/messages.tsx'
import type { NoteView, SignUpNote } from '../sign-up/sign-up-state.ts'
import { Note } from '../sign-up/note/success-note.tsx'

/** The time of an example. */
const since = new Date(2026, 0, 1, 12, 3).getTime()
const resendMs = 300_000
const dayMs = 24 * 3_600_000

/** The views after which the mail can be sent again at once. The others say when. */
const resentAtOnce: ReadonlySet<NoteView> = new Set(['sent-again', 'inbox'])

interface AllNotesProps {
  content: Content
  /** An example. */
  address: string
}

/** The note under a form in all its states, for the owner. No button in it works. */
export function AllNotes({ content, address }: AllNotesProps) {
  const words = formWords(content)
  const views = Object.keys(content.note.views) as NoteView[] // it has no other names
  return (
    <main className="small-page columns">
      <div className="small-page-text">
        <form className="sign-up">
          <div className="messages">
            <Question
              message={{ kind: 'slip', typed: address, meant: address }}
              words={words}
              onChoose={nothing}
            />
            <Question message={wait} words={words} onChoose={nothing} />
            {views.map((view) => (
              <Note
                key={view}
                words={words}
                view={view}
                note={noteOf(view, address)}
                sentAt={new Date(since).toISOString()}
                onSendAgain={nothing}
                onChange={nothing}
              />
            ))}
          </div>
        </form>
      </div>
    </main>
  )
}

const wait = { kind: 'wait' as const, until: since + resendMs, since }

function noteOf(view: NoteView, address: string): SignUpNote {
  const waitMs = view === 'listed' ? dayMs : resendMs
  return {
    kind: view === 'listed' ? 'already-on-list' : 'sent',
    resent: view === 'sent-again',
    resendInMs: waitMs,
    receiptUrl: undefined,
    address,
    since,
    resendAt: resentAtOnce.has(view) ? since : since + waitMs,
  }
}

function nothing(): void {}
