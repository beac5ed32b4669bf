import { expect, test } from 'vitest'
import { idle, nextSignUpState, type SignUpEvent } from './sign-up-state.ts'

const submitted: SignUpEvent = { type: 'submitted', again: false }
const sent: SignUpEvent = { type: 'answered', outcome: 'sent', address: 'a@b.example', at: 5 }
const refused: SignUpEvent = { ...sent, outcome: 'refused' }
const after = (...events: SignUpEvent[]) => events.reduce(nextSignUpState, idle)

test('idle -> submitting -> idle', () => {
  expect(idle.submitting).toBe(false)
  expect(after(submitted).submitting).toBe(true)
  expect(after(submitted, sent).submitting).toBe(false)
  expect(after(submitted, refused).submitting).toBe(false)
})

test('an invalid address is said so until the next submit', () => {
  expect(after({ type: 'refused-by-the-form' }).invalid).toBe(true)
  expect(after({ type: 'refused-by-the-form' }, submitted).invalid).toBe(false)
})

test('the note stays until the next submit', () => {
  expect(after(submitted, sent).success).toEqual({ outcome: 'sent', address: 'a@b.example', at: 5 })
  expect(after(submitted, sent, submitted).success).toBeUndefined()
  expect(after(submitted, sent, { type: 'refused-by-the-form' }).success).toBeUndefined()
})

test('asked to send it again, the note stays, also when that fails', () => {
  const again: SignUpEvent = { type: 'submitted', again: true }
  expect(after(submitted, sent, again).success?.address).toBe('a@b.example')
  expect(after(submitted, sent, again, refused).success?.at).toBe(5)
  expect(after(submitted, sent, again, { ...sent, outcome: 'already-on-list', at: 9 }).success).toEqual({
    outcome: 'already-on-list',
    address: 'a@b.example',
    at: 9,
  })
})

test('a failed first try leaves no note', () => {
  expect(after(submitted, refused).success).toBeUndefined()
})
