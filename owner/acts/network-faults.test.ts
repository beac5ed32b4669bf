import { expect, test } from 'vitest'
import { explainNetworkFault } from './network-faults.ts'

test.each([
  ['ETIMEDOUT', 'it did not answer in time'],
  ['ECONNREFUSED', 'it cannot be reached'],
  ['EHOSTUNREACH', 'it cannot be reached'],
  ['ENOTFOUND', 'its name is not known'],
  ['EAI_AGAIN', 'its name is not known'],
  ['ECONNRESET', 'the connection broke'],
  ['CERT_HAS_EXPIRED', 'its certificate cannot be verified'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate cannot be verified'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate cannot be verified'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the connection could not be encrypted'],
])('%s stands as words after the name of a host', (code, words) => {
  expect(explainNetworkFault(code)).toBe(`${words} (${code})`)
})

test.each([
  'smtp 550 to RCPT TO',
  '554 SELF_SIGNED CERT in it',
  'unknown error',
  'ERR_SQLITE_ERROR',
])('what a mail server said, or another fault, is no code of the network: %s', (code) => {
  expect(explainNetworkFault(code)).toBeUndefined()
})
