import { expect, test } from 'vitest'
import { signUpOrigin } from './sign-up-origin.ts'

test("a sign-up tells its form, and the source that the page's address names", () => {
  expect(signUpOrigin('hero', '?utm_medium=mail&utm_source=News%20letter', false)).toEqual({
    form: 'hero',
    utm_source: 'News letter',
  })
})

test('on the answer to a plain form, it tells the source of the page before', () => {
  expect(signUpOrigin('hero', '', false, 'partner')).toEqual({ form: 'hero', utm_source: 'partner' })
})

test.each(['', '?', '?utm_source=', '?source=newsletter'])('an address with %j names no source', (search) => {
  expect(signUpOrigin('closing', search, false)).toEqual({ form: 'closing' })
})

test('a source as long as an address can be does not make the request too long', () => {
  const { utm_source } = signUpOrigin('hero', `?utm_source=${'x'.repeat(10_000)}`, false)
  expect(utm_source).toHaveLength(99)
})

test('an address that the form suggested is told', () => {
  expect(signUpOrigin('hero', '', true)).toEqual({ form: 'hero', typo_rescued: true })
})
