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

test('no policy allows inline code without a hash, eval, frames, or another origin', () => {
  const { document, data } = securityHeaders('https://bot.example', 'https://bot.example/functions/v1', {
    styleHashes: ['sha256-style'],
    scriptHashes: ['sha256-script'],
  })
  const policy = document['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toMatch(/style-src[^;]*'sha256-style'/)
  expect(policy).toMatch(/script-src[^;]*'sha256-script'/)
  for (const headers of [document, data])
    expect(headers['content-security-policy']).not.toMatch(/unsafe-(?:inline|eval|hashes)|https?:|\*/)
})

test('pages and data carry the headers against sniffing, framing and leaking', () => {
  const { document, data } = securityHeaders(
    'https://bot.example',
    'https://bot.example/functions/v1',
    hashes,
  )
  for (const headers of [document, data])
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringMatching(/^max-age=(?:31536000|63072000)/),
    })
  expect(document).toMatchObject({
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.any(String),
  })
  const plain = securityHeaders('http://localhost:3000', 'http://localhost:3000/functions/v1', hashes)
  expect(plain.document).not.toHaveProperty('strict-transport-security')
})
