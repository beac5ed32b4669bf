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

test.each<[Parameters<typeof answer>, string]>([
  [['RCPT TO', '550 No such user here'], 'refused'],
  [['RCPT TO', '550 5.1.1 User unknown'], 'refused'],
  [['final DATA', '550 5.1.1 User unknown'], 'refused'],
  [['RCPT TO', '450 Later'], 'deferred'],
  [['RCPT TO', '550 Rejected'], 'relay-fault'],
  [['final DATA', '550 No such user here'], 'relay-fault'],
  [['final DATA', '451 Later'], 'relay-fault'],
  [['DATA', '550 No such user here'], 'relay-fault'],
  [['DATA', '451 Try again later'], 'relay-fault'],
])('an answer to %j is %s', (answered, kind) => {
  const failure = smtpFailure(answer(...answered), { recipient: 'ana@example.com' })
  expect(failure).toMatchObject({ kind })
})

test('the words of a refusal are kept without the address, whether it is final or not', () => {
  for (const code of [450, 550]) {
    const fault = answer('RCPT TO', `${code} <ana@example.com>: User unknown`)
    expect(smtpFailure(fault, { recipient: 'ana@example.com' })).toMatchObject({
      words: 'mailbox: user unknown',
    })
  }
})

test.each<[object, string]>([
  [answer('RCPT TO', '550 No such user'), 'smtp 550 no such mailbox to RCPT TO'],
  [answer('RCPT TO', '550 Rejected'), 'smtp 550 to RCPT TO'],
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
