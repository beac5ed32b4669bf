import { expect, test } from 'vitest'
import { smtpFailure } from './smtp-failure.ts'

test.each<[object, string, string, boolean?]>([
  [{ responseCode: 550, command: 'RCPT TO' }, 'permanent', 'smtp 550 to RCPT TO'],
  [{ responseCode: 554, command: 'DATA' }, 'permanent', 'smtp 554 to DATA'],
  [{ responseCode: 553, command: 'MAIL FROM' }, 'permanent', 'smtp 553 to MAIL FROM'],
  [{ responseCode: 550 }, 'permanent', 'smtp 550'],
  [{ responseCode: 421, command: 'CONN' }, 'temporary', 'smtp 421 to CONN', false],
  [{ responseCode: 452, command: 'DATA' }, 'temporary', 'smtp 452 to DATA', false],
  // About our session: every other mail would be refused as well.
  [{ responseCode: 535, command: 'AUTH PLAIN' }, 'temporary', 'smtp 535 to AUTH PLAIN', true],
  [{ responseCode: 530, command: 'MAIL FROM' }, 'temporary', 'smtp 530 to MAIL FROM', true],
  [{ responseCode: 503, command: 'MAIL FROM' }, 'temporary', 'smtp 503 to MAIL FROM', true],
  [{ responseCode: 554, command: 'CONN' }, 'temporary', 'smtp 554 to CONN', false],
  [{ responseCode: 502, command: 'EHLO' }, 'temporary', 'smtp 502 to EHLO', false],
  [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'temporary', 'ECONNREFUSED', true],
  [{ code: 'EDNS' }, 'temporary', 'EDNS', true],
  [{ code: 'ECONNRESET' }, 'temporary', 'ECONNRESET', false],
  [{ code: 'EABORT' }, 'temporary', 'ETIMEDOUT', false],
  // nodemailer itself refuses an envelope; a reply without a code is something else.
  [{ code: 'EENVELOPE', command: 'API' }, 'permanent', 'EENVELOPE'],
  [{ code: 'EMESSAGE', command: 'API' }, 'permanent', 'EMESSAGE'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', response: 'garbage' }, 'temporary', 'EENVELOPE', false],
])('%o is sorted', (properties, kind, why, isRelayAway) => {
  const fault = Object.assign(new Error('550 no such user ana@example.com'), properties)
  expect(smtpFailure(fault)).toEqual({
    kind,
    why,
    ...(kind === 'temporary' && { isRelayAway }),
    cause: fault,
  })
})

test.each([
  new Error('ana@example.com'),
  Object.assign(new Error(), { code: 'to ana@example.com' }),
  'ana@example.com',
  undefined,
])('the words of an error, which may quote the address, are never part of why: %s', (cause) => {
  expect(smtpFailure(cause)).toMatchObject({ kind: 'temporary', why: 'unknown error' })
})
