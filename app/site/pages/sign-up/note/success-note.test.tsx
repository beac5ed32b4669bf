import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { note as noteText } from '#content/pages/note.ts'
import type { ReceiptStatus } from '#contract/sign-up.ts'
import { ourContent } from '#rigs/our-content.ts'
import { formWords } from '../form-words.ts'
import { type NoteView, type SignUpNote, viewOf } from '../sign-up-state.ts'
import { Note } from './success-note.tsx'

const minutes = 60_000
const ten = new Date(2026, 10, 22, 10)
const since = ten.getTime()
const resendAt = since + 15 * minutes

const waiting: ReceiptStatus = { state: 'waiting', handedOverAt: null, allMailIsSlow: false }
const stuck = { ...waiting, allMailIsSlow: true }
const left: ReceiptStatus = {
  state: 'handed-over',
  handedOverAt: new Date(since + minutes).toISOString(),
  allMailIsSlow: false,
}

const signedUp: SignUpNote = {
  kind: 'sent',
  resent: false,
  resendInMs: undefined,
  receiptUrl: '/receipts/x',
  address: 'ana@example.com',
  since,
  resendAt,
}
const again = { ...signedUp, kind: 'already-on-list', resent: true } as const
const listed = { ...again, resent: false }
const tomorrow = { ...listed, resendAt: new Date(2026, 10, 23, 9, 30).getTime() }

interface ShownView {
  view: NoteView
  note: SignUpNote
  status: ReceiptStatus | undefined
  seconds: number
  /** Are in no other view. */
  words: string
}

/** Each view of the note, and the age of the note that it begins with. */
const views: ShownView[] = [
  {
    view: 'on-its-way',
    note: signedUp,
    status: waiting,
    seconds: 4,
    words: 'We’ll tell you here when the email has been sent.',
  },
  { view: 'on-its-way', note: signedUp, status: undefined, seconds: 0, words: 'On its way' },
  { view: 'sent', note: signedUp, status: left, seconds: 2, words: 'Sent 10:01 Look for' },
  {
    view: 'sent-again',
    note: again,
    status: left,
    seconds: 2,
    words: 'Sent again 10:01 We’ve sent it again to ana@example.com.',
  },
  { view: 'slow', note: signedUp, status: waiting, seconds: 8, words: 'Slower than usual' },
  {
    view: 'not-taken',
    note: signedUp,
    status: waiting,
    seconds: 40,
    words: 'Is ana@example.com spelled right?',
  },
  {
    view: 'all-slow',
    note: signedUp,
    status: stuck,
    seconds: 1,
    words: 'We will send your email to ana@example.com as soon as mail works again.',
  },
  {
    view: 'listed',
    note: listed,
    status: undefined,
    seconds: 0,
    words: 'You can ask again at 10:15.',
  },
  {
    view: 'listed',
    note: tomorrow,
    status: undefined,
    seconds: 0,
    words: 'You can ask again tomorrow at 09:30.',
  },
  {
    view: 'inbox',
    note: { ...signedUp, receiptUrl: undefined },
    status: undefined,
    seconds: 0,
    words: 'It can take a few minutes. Look for',
  },
  {
    view: 'inbox',
    note: signedUp,
    status: undefined,
    seconds: 8,
    words: 'Check your inbox',
  },
]

test('no view of the note is left out below', () => {
  expect(new Set(views.map(({ view }) => view))).toEqual(new Set(Object.keys(noteText.views)))
})

test.each(views)(
  'the view $view of the note comes at $seconds s and says "$words", with "Change it"',
  ({ view, note, status, seconds, words }) => {
    expect(viewOf(note, status, seconds * 1000)).toBe(view)
    const text = textOf(note, view, status?.handedOverAt)
    expect(text).toContain(words)
    expect(text).toContain('Not ana@example.com? Change it')
  },
)

test('a domain beyond ASCII is shown as it was typed', () => {
  const note = { ...signedUp, address: 'ana@xn--mnchen-3ya.example' }
  const text = textOf(note, 'on-its-way')
  expect(text).toContain('are going to ana@münchen.example.')
  expect(text).toContain('Not ana@münchen.example?')
})

test('a mail can be sent again once its time has come', () => {
  expect(textOf(listed, 'listed')).not.toContain('Send it again')
  expect(textOf({ ...listed, resendAt: since }, 'listed')).toContain('Nothing there? Send it again')
})

function textOf(note: SignUpNote, view: NoteView, sentAt?: string | null): string {
  const markup = renderToStaticMarkup(
    <Note
      words={formWords(ourContent)}
      note={note}
      view={view}
      sentAt={sentAt}
      onSendAgain={() => {}}
      onChange={() => {}}
    />,
  )
  return markup
    .replaceAll(/<(p|time)\b/g, ' $&')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
}
