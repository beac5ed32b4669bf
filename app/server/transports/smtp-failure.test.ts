import { expect, test } from 'vitest'
import { smtpFailure } from './smtp-failure.ts'

/** As nodemailer reports an answer to a command; EMESSAGE is the final answer to DATA. */
function answer(to: 'RCPT TO' | 'DATA' | 'final DATA', response: string) {
  return Object.assign(new Error(`all recipients were rejected: ${response}`), {
    code: to === 'final DATA' ? 'EMESSAGE' : 'EENVELOPE',
    command: to === 'final DATA' ? 'DATA' : to,
    response,
    responseCode: Number(response.slice(0, 3)),
  })
}

test.each([
  '550 No such user here',
  '551 User not local',
  '553 sorry, no mailbox here by that name',
  '550 5.1.1 <ana@example.com>: User unknown in relay recipient table',
  '550-5.1.1 The account that you tried to reach does not exist.\n550 5.1.1 Learn more.',
  '550 sorry, no mailbox here by that name (#5.1.1)',
  '554 5.1.1 Unknown user',
  '552 5.2.2 Mailbox full',
])('takes the recipient off: %s', (response) => {
  expect(smtpFailure(answer('RCPT TO', response))).toMatchObject({ kind: 'refused' })
  expect(smtpFailure(answer('final DATA', response))).toMatchObject({ kind: 'refused' })
})

test.each([
  '554 Relay access denied',
  '554 5.7.1 <ana@example.com>: Relay access denied',
  '550 relay not permitted',
  "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
  '550 5.4.5 Daily sending limit exceeded',
  '550 5.1.8 <bot@bot.example>: Sender address rejected: Domain not found',
  '550 5.1.7 Bad sender',
  '550 Sender verify failed',
  '554 Message rejected',
  '503 5.5.1 Bad sequence of commands',
  '530 Must issue a STARTTLS command first',
  '535 Authentication failed',
  '421 Too many connections',
])('takes nobody off: %s', (response) => {
  expect(smtpFailure(answer('RCPT TO', response))).toMatchObject({ kind: 'relay-fault' })
  expect(smtpFailure(answer('final DATA', response))).toMatchObject({ kind: 'relay-fault' })
})

test('a refusal of the command DATA is about us, before the relay has judged a mail', () => {
  for (const response of ['550 No such user here', '451 Try again later']) {
    expect(smtpFailure(answer('DATA', response))).toMatchObject({ kind: 'relay-fault' })
  }
})

test.each<[object, string]>([
  [answer('RCPT TO', '550 No such user'), 'smtp 550 to RCPT TO'],
  [answer('final DATA', '552 5.2.2 Mailbox full'), 'smtp 552 5.2.2 to DATA'],
  [Object.assign(new Error(), { responseCode: 550 }), 'smtp 550'],
  [Object.assign(new Error(), { code: 'ESOCKET', originalCode: 'EMFILE' }), 'EMFILE'],
  [Object.assign(new Error(), { code: 'EDNS' }), 'EDNS'],
  [Object.assign(new Error(), { code: 'EABORT' }), 'ETIMEDOUT'],
  [Object.assign(new Error(), { code: 'UND_ERR_SOCKET' }), 'ECONNRESET'],
  [new DOMException('The time is over', 'TimeoutError'), 'ETIMEDOUT'],
])('%o is named %s', (fault, why) => {
  expect(smtpFailure(fault)).toMatchObject({ why, cause: fault })
})

test.each([
  new Error('ana@example.com'),
  Object.assign(new Error(), { code: 'to ana@example.com' }),
  'ana@example.com',
  undefined,
])('the words of an error, which may quote the address, are never part of why: %s', (cause) => {
  expect(smtpFailure(cause)).toMatchObject({ kind: 'relay-fault', why: 'unknown error' })
})
