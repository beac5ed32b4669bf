import { expect, test } from 'vitest'
import { explainReason } from './reasons.ts'

test.each([
  ['smtp 550 to RCPT TO', false, 'There is no such mailbox.', 'correct'],
  ['smtp 553 to RCPT TO', true, 'There is no such mailbox.', 'correct'],
  ['smtp 552 to DATA', true, 'The mailbox is full.', 'retry'],
  ['smtp 535 to AUTH', false, 'The mail server refuses our password.', 'owner'],
  ['smtp 550 to MAIL FROM', false, 'The mail server refuses our sender address.', 'owner'],
  [
    'smtp 554 to DATA',
    true,
    'The mail server refuses this mail, as spam or under a rule of its own.',
    'owner',
  ],
  ['smtp 451 to RCPT TO', false, 'The mail server asked us to come back later.', 'wait'],
  ['smtp 451 to RCPT TO', true, 'The mail server asked us to come back later.', 'retry'],
  ['ETIMEDOUT', false, 'The mail server did not answer in time.', 'wait'],
  ['ECONNREFUSED', false, 'The mail server cannot be reached.', 'owner'],
  ['EENVELOPE', true, 'The mail server does not take this address.', 'correct'],
  ['resend 401 missing_api_key', false, 'The mail provider refuses our key.', 'owner'],
  ['resend 500', false, 'The mail provider has trouble of its own.', 'wait'],
  ['something new', false, 'The reason is not known.', 'wait'],
])('%s, given up: %s', (code, hasFailed, words, helps) => {
  expect(explainReason(code, hasFailed)).toMatchObject({ code, words, helps })
})
