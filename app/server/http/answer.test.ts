import { expect, test } from 'vitest'
import { securityHeaders } from './answer.ts'

const hashes = { styleHashes: [], scriptHashes: [] }
const policyWith = (functionsUrl: string) =>
  securityHeaders('https://bot.example', functionsUrl, hashes).document['content-security-policy']

test('a page may connect to its own origin only', () => {
  expect(policyWith('https://bot.example/functions/v1')).toContain("; connect-src 'self';")
})

test('a page may connect to the origin of a functions endpoint elsewhere', () => {
  expect(policyWith('https://abc.supabase.example/functions/v1')).toContain(
    "; connect-src 'self' https://abc.supabase.example;",
  )
})
