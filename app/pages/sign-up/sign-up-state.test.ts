import { expect, test } from 'vitest'
import type { ReceiptStatus } from '#contract/sign-up.ts'
import type { SignUpOutcome, SignUpSuccess } from './send-sign-up.ts'
import {
  idle,
  isChanging,
  nextSignUpState,
  noteFor,
  type SignUpEvent,
  type SignUpNote,
  toastFor,
  viewOf,
} from './sign-up-state.ts'

const success: SignUpSuccess = {
  kind: 'sent',
  resent: false,
  resendInMs: undefined,
  receiptUrl: 'https://bot.example/receipts/r',
  isHidden: false,
}
const signUp = { address: 'a@b.example', corrected: undefined, since: 1000 }
const note: SignUpNote = noteFor(success, signUp, 900)!
const submitted: SignUpEvent = { type: 'submitted', again: false, corrects: undefined }
const again: SignUpEvent = { type: 'submitted', again: true, corrects: undefined }
const sent: SignUpEvent = { type: 'answered', note }
const failed: SignUpEvent = { type: 'answered', note: undefined }
const change: SignUpEvent = { type: 'change', corrects: note }
const after = (...events: SignUpEvent[]) => events.reduce(nextSignUpState, idle)

test('a form is submitting from the press until the answer', () => {
  expect(idle.submitting).toBe(false)
  expect(after(submitted).submitting).toBe(true)
  expect(after(submitted, sent).submitting).toBe(false)
  expect(after(submitted, failed).submitting).toBe(false)
})

test('the field is marked invalid until it is valid, or until the next submit', () => {
  expect(after({ type: 'invalid' }).invalid).toBe(true)
  expect(after({ type: 'invalid' }, { type: 'valid' }).invalid).toBe(false)
  expect(after({ type: 'invalid' }, submitted).invalid).toBe(false)
})

test('the note stays until the next submit', () => {
  expect(after(submitted, sent).note).toEqual(note)
  expect(after(submitted, sent, submitted).note).toBeUndefined()
  expect(after(submitted, sent, { type: 'invalid' }).note).toBeUndefined()
})

test('"send it again" keeps the note while it runs and when it fails, and replaces it when it succeeds', () => {
  const resent = { ...note, resent: true }
  expect(after(submitted, sent, again).note).toEqual(note)
  expect(after(submitted, sent, again, failed).note).toEqual(note)
  expect(after(submitted, sent, again, { type: 'answered', note: resent }).note).toEqual(resent)
})

test('a failed first try leaves no note', () => {
  expect(after(submitted, failed).note).toBeUndefined()
})

test('a change can be left as it was, and waits while the address is invalid', () => {
  expect(isChanging(after(sent))).toBe(false)
  expect(isChanging(after(sent, change))).toBe(true)
  expect(isChanging(after(sent, change, { type: 'invalid' }))).toBe(true)
  expect(after(sent, change, { type: 'change', corrects: undefined })).toEqual(after(sent))
})

test('a correction that failed is one at the next press too, and none after a success', () => {
  const corrects: SignUpEvent = { type: 'submitted', again: false, corrects: note }
  expect(after(sent, change, corrects, failed)).toMatchObject({ note: undefined, corrects: note })
  expect(after(sent, change, corrects, sent)).toEqual(after(sent))
})

test.each<[string, SignUpOutcome, Partial<SignUpNote> | undefined]>([
  ['counts from now without times in the answer', success, { resendAt: 1900, since: 1000, isCeiling: false }],
  ['counts from the last mail', { ...success, resendInMs: 300 }, { resendAt: 1300, isCeiling: false }],
  [
    'knows the ceiling by a longer wait than usual',
    { ...success, kind: 'already-on-list', resendInMs: 1901 },
    { resendAt: 2901, isCeiling: true },
  ],
  [
    "has no ceiling by the fraction of a second that the server's clock lacks",
    { ...success, kind: 'already-on-list', resendInMs: 1899 },
    { isCeiling: false },
  ],
  ['has no ceiling when a mail was sent', { ...success, resendInMs: 86_400_000 }, { isCeiling: false }],
  ['is absent after a refusal', { kind: 'refused' }, undefined],
  ['is absent without an answer', { kind: 'unreachable' }, undefined],
])('the note %s', (_, outcome, expected) => {
  const made = noteFor(outcome, signUp, 900)
  if (expected) expect(made).toMatchObject({ ...signUp, ...expected })
  else expect(made).toBeUndefined()
})

const waiting: ReceiptStatus = { state: 'waiting', handedOverAt: null, allMailIsSlow: false }
const left: ReceiptStatus = {
  state: 'handed-over',
  handedOverAt: '2026-11-22T12:03:00Z',
  allMailIsSlow: false,
}
const stuck: ReceiptStatus = { ...waiting, allMailIsSlow: true }
const listed: Partial<SignUpNote> = { kind: 'already-on-list' }
const resent: Partial<SignUpNote> = { ...listed, resent: true }

test.each<[ReturnType<typeof viewOf>, Partial<SignUpNote>, ReceiptStatus | undefined, number]>([
  ['on-its-way', {}, undefined, 0],
  ['on-its-way', {}, waiting, 7.9],
  ['slow', {}, waiting, 8],
  ['slow', {}, { ...waiting, state: 'slow' }, 29],
  ['not-taken', {}, waiting, 30],
  ['handed-over', {}, left, 2],
  ['handed-over', {}, left, 300],
  ['all-slow', {}, stuck, 1],
  ['all-slow', {}, stuck, 40],
  ['handed-over', {}, { ...left, allMailIsSlow: true }, 2],
  ['listed', listed, left, 1],
  ['slow', listed, waiting, 9],
  ['again', resent, waiting, 1],
  ['sent-again', resent, left, 1],
  ['ceiling', { ...listed, isCeiling: true }, left, 1],
  ['hidden', { isHidden: true }, undefined, 0],
  ['hidden', { isHidden: true }, { ...waiting, state: 'slow' }, 31],
  ['sent', {}, undefined, 8],
  ['sent', { receiptUrl: undefined }, undefined, 0],
  ['known', { ...listed, receiptUrl: undefined }, undefined, 0],
  ['resent', { ...resent, receiptUrl: undefined }, undefined, 0],
])('the view is "%s" for %o with %o after %d s', (view, given, status, age) => {
  expect(viewOf({ ...note, ...given }, status, age)).toBe(view)
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
  expect(toastFor({ ...success, kind }, '')).toEqual({ tone, title, description })
})

test('"contact support" links the support address and stays part of the sentence', () => {
  const { description, link } = toastFor({ kind: 'refused' }, 'help@example.com')
  expect(link).toEqual({ words: 'contact support', href: 'mailto:help@example.com' })
  expect(description).toContain(link?.words)
})
