import { expect, test } from 'vitest'
import { explainReason } from './reasons.ts'

test.each([
  {
    code: 'smtp 550 5.1.1 to RCPT TO',
    hasFailed: false,
    words: 'There is no such mailbox.',
    helps: 'correct',
  },
  {
    code: 'smtp 553 no such mailbox to RCPT TO',
    hasFailed: true,
    words: 'There is no such mailbox.',
    helps: 'correct',
  },
  {
    code: 'smtp 550 5.2.1 to RCPT TO',
    hasFailed: true,
    words: 'The mailbox takes no mail.',
    helps: 'retry',
  },
  { code: 'smtp 552 to DATA', hasFailed: true, words: 'The mailbox is full.', helps: 'retry' },
  {
    code: 'smtp 535 to AUTH',
    hasFailed: false,
    words: 'The mail server rejected the password.',
    helps: 'owner',
  },
  {
    code: 'smtp 550 to MAIL FROM',
    hasFailed: false,
    words: 'The mail server does not accept the sender address.',
    helps: 'owner',
  },
  {
    code: 'smtp 550 to RCPT TO',
    hasFailed: true,
    words: 'The mail server refuses this mail, as spam or under a rule of its own.',
    helps: 'owner',
  },
  {
    code: 'smtp 554 5.2.0 to DATA',
    hasFailed: false,
    words: 'The mail server refuses this mail, as spam or under a rule of its own.',
    helps: 'owner',
  },
  {
    code: 'smtp 554 to DATA',
    hasFailed: true,
    words: 'The mail server refuses this mail, as spam or under a rule of its own.',
    helps: 'owner',
  },
  {
    code: 'smtp 451 to RCPT TO',
    hasFailed: false,
    words: 'The mail server asked us to come back later.',
    helps: 'wait',
  },
  {
    code: 'smtp 451 to RCPT TO',
    hasFailed: true,
    words: 'The mail server asked us to come back later.',
    helps: 'retry',
  },
  {
    code: 'ETIMEDOUT',
    hasFailed: false,
    words: 'The mail server did not answer in time.',
    helps: 'wait',
  },
  {
    code: 'ECONNREFUSED',
    hasFailed: false,
    words: 'The mail server cannot be reached.',
    helps: 'owner',
  },
  {
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    hasFailed: false,
    words: 'The certificate of the mail server cannot be verified.',
    helps: 'owner',
  },
  {
    code: 'EENVELOPE',
    hasFailed: true,
    words: 'The mail server does not take this address.',
    helps: 'correct',
  },
  {
    code: 'resend 401 missing_api_key',
    hasFailed: false,
    words: 'The mail provider rejected the key.',
    helps: 'owner',
  },
  {
    code: 'resend 500',
    hasFailed: false,
    words: 'The mail provider has trouble of its own.',
    helps: 'wait',
  },
  { code: 'something new', hasFailed: false, words: 'The reason is not known.', helps: 'wait' },
])('$code, given up: $hasFailed', ({ code, hasFailed, words, helps }) => {
  expect(explainReason(code, hasFailed)).toMatchObject({ code, words, helps })
})
