import { expect, test } from 'vitest'
import { smtpFailure } from './smtp-failure.ts'

function fault(properties: object) {
  return Object.assign(new Error('550 no such user ana@example.com'), properties)
}

test.each([
  [550, 'RCPT TO'],
  [552, 'DATA'],
  [554, 'DATA'],
  [553, 'MAIL FROM'],
])('a %i reply to %s is permanent', (responseCode, command) => {
  expect(smtpFailure(fault({ responseCode, command, permanent: true }))).toMatchObject({
    kind: 'permanent',
    why: `smtp ${responseCode} to ${command}`,
  })
})

test.each([
  [421, 'CONN'],
  [451, 'RCPT TO'],
  [452, 'DATA'],
])('a %i reply to %s is temporary', (responseCode, command) => {
  expect(smtpFailure(fault({ responseCode, command })).kind).toBe('temporary')
})

test.each([
  [535, 'AUTH PLAIN'],
  [530, 'MAIL FROM'],
  [554, 'CONN'],
  [502, 'EHLO'],
  [503, 'MAIL FROM'],
])('a %i reply to %s is about our session, so it is temporary', (responseCode, command) => {
  expect(smtpFailure(fault({ responseCode, command })).kind).toBe('temporary')
})

test('a network error is temporary and has the code of the system', () => {
  expect(smtpFailure(fault({ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }))).toMatchObject({
    kind: 'temporary',
    why: 'ECONNREFUSED',
    isRelayAway: true,
  })
  expect(smtpFailure(fault({ code: 'EABORT' })).why).toBe('ETIMEDOUT')
})

test('an envelope that nodemailer itself refuses to send is permanent', () => {
  expect(smtpFailure(fault({ code: 'EENVELOPE', command: 'API' }))).toMatchObject({
    kind: 'permanent',
    why: 'EENVELOPE',
  })
})

test.each(['EENVELOPE', 'EMESSAGE'])('a reply without a code is temporary: %s', (code) => {
  expect(smtpFailure(fault({ code, command: 'RCPT TO', response: 'garbage' })).kind).toBe('temporary')
})

test('the message of an error, which may quote the address, is never part of why', () => {
  for (const cause of [fault({}), fault({ code: 'to ana@example.com' }), 'ana@example.com', undefined])
    expect(smtpFailure(cause)).toMatchObject({ kind: 'temporary', why: 'unknown error' })
})

test('only errors that any mail would meet mean that the relay is away', () => {
  const isAway = (properties: object) => {
    const failure = smtpFailure(fault(properties))
    return failure.kind === 'temporary' && failure.isRelayAway
  }
  for (const code of ['ECONNREFUSED', 'EHOSTUNREACH', 'EDNS']) expect(isAway({ code })).toBe(true)
  expect(isAway({ responseCode: 535, command: 'AUTH PLAIN' })).toBe(true)
  for (const code of ['ECONNRESET', 'ETIMEDOUT', 'EABORT']) expect(isAway({ code })).toBe(false)
  expect(isAway({ responseCode: 421, command: 'CONN' })).toBe(false)
})
