import { expect, test } from 'vitest'
import type { SignUpOutcome } from './send-sign-up.ts'
import {
  idle,
  nextSignUpState,
  noteFor,
  type SignUpEvent,
  type SignUpNote,
  toastFor,
} from './sign-up-state.ts'

const note: SignUpNote = { kind: 'sent', address: 'a@b.example', resendAt: 5 }
const submitted: SignUpEvent = { type: 'submitted', again: false }
const again: SignUpEvent = { type: 'submitted', again: true }
const sent: SignUpEvent = { type: 'answered', note }
const failed: SignUpEvent = { type: 'answered', note: undefined }
const after = (...events: SignUpEvent[]) => events.reduce(nextSignUpState, idle)

test('a form is submitting from the press until the answer', () => {
  expect(idle.submitting).toBe(false)
  expect(after(submitted).submitting).toBe(true)
  expect(after(submitted, sent).submitting).toBe(false)
  expect(after(submitted, failed).submitting).toBe(false)
})

test('the field is marked invalid until the next submit', () => {
  expect(after({ type: 'invalid' }).invalid).toBe(true)
  expect(after({ type: 'invalid' }, submitted).invalid).toBe(false)
})

test('the note stays until the next submit', () => {
  expect(after(submitted, sent).note).toEqual(note)
  expect(after(submitted, sent, submitted).note).toBeUndefined()
  expect(after(submitted, sent, { type: 'invalid' }).note).toBeUndefined()
})

test('"send it again" keeps the note while it runs and when it fails, and replaces it when it succeeds', () => {
  const resent: SignUpNote = { kind: 'resent', address: 'a@b.example', resendAt: 9 }
  expect(after(submitted, sent, again).note).toEqual(note)
  expect(after(submitted, sent, again, failed).note).toEqual(note)
  expect(after(submitted, sent, again, { type: 'answered', note: resent }).note).toEqual(resent)
})

test('a failed first try leaves no note', () => {
  expect(after(submitted, failed).note).toBeUndefined()
})

const known: SignUpOutcome = { kind: 'already-on-list', resent: false, resendInMs: undefined }

test.each<[string, SignUpOutcome, SignUpNote | undefined]>([
  [
    'counts from now without times in the answer',
    known,
    { kind: 'already-on-list', address: 'a@b', resendAt: 1900 },
  ],
  [
    'counts from the last mail',
    { ...known, resendInMs: 300 },
    { kind: 'already-on-list', address: 'a@b', resendAt: 1300 },
  ],
  [
    'says that the mail was sent again',
    { ...known, resent: true },
    { kind: 'resent', address: 'a@b', resendAt: 1900 },
  ],
  ['is absent after a refusal', { kind: 'refused' }, undefined],
  ['is absent without an answer', { kind: 'unreachable' }, undefined],
])('the note %s', (_, outcome, expected) => {
  expect(noteFor(outcome, 'a@b', 1000, 900)).toEqual(expected)
})

// The error catalogue of the specification, typed out because its texts are fixed byte for byte.
test.each([
  [
    'sent',
    'success',
    'Success! Check your email for the download link.',
    'The bot script and setup guide are on their way!',
  ],
  [
    'already-on-list',
    'success',
    "You're already on the list!",
    'Check your inbox for the original email with your download.',
  ],
  [
    'refused',
    'error',
    'Oops! Something went wrong.',
    'Please try again or contact support if the issue persists.',
  ],
  ['unreachable', 'error', 'Network error occurred.', 'Please check your connection and try again.'],
] as const)('the toast for "%s" has the words of the catalogue', (kind, tone, title, description) => {
  expect(toastFor({ kind, resent: false, resendInMs: undefined }, '')).toEqual({ tone, title, description })
})

test('"contact support" links the support address and stays part of the sentence', () => {
  const { description, link } = toastFor({ kind: 'refused' }, 'help@example.com')
  expect(link).toEqual({ words: 'contact support', href: 'mailto:help@example.com' })
  expect(description).toContain(link?.words)
})
