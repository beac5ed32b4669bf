import { expect, test } from 'vitest'
import { inlineHashes } from './inline-hashes.ts'

// As `printf 'body{}' | openssl dgst -sha256 -binary | base64` says.
const hashOfBody = 'sha256-fJgEClQWV1hGkK4qHMO0KotTsVnMYMXTq7/suurGyUo='

test('every inline style is named once, however many pages it stands in', () => {
  const page = '<html><style>body{}</style><body><svg><style media="print">p{}</style></svg>'
  const { styleHashes } = inlineHashes([page, page])
  expect(styleHashes).toHaveLength(2)
  expect(styleHashes[0]).toBe(hashOfBody)
})

test('scripts that run from the page itself are named; files and data are not', () => {
  const page =
    '<script type="module" src="/a.js"></script><script type="application/ld+json">{"a":"{{publicUrl}}"}</script>'
  expect(inlineHashes([page]).scriptHashes).toEqual([])
  expect(inlineHashes([`${page}<script>body{}</script>`]).scriptHashes).toEqual([hashOfBody])
})

test('a style that the server would change is refused', () => {
  expect(() => inlineHashes(['<style>a{background:url({{publicUrl}})}</style>'])).toThrow('placeholder')
})
