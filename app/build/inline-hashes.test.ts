import { expect, test } from 'vitest'
import { inlineHashes } from './inline-hashes.ts'

// As `printf 'body{}' | openssl dgst -sha256 -binary | base64` says.
const hashOfBody = 'sha256-fJgEClQWV1hGkK4qHMO0KotTsVnMYMXTq7/suurGyUo='

test('an inline style of several pages has one hash', () => {
  const page = '<html><style>body{}</style><body><svg><style media="print">p{}</style></svg>'
  const { styleHashes } = inlineHashes([page, page])
  expect(styleHashes).toHaveLength(2)
  expect(styleHashes[0]).toBe(hashOfBody)
})

test('inline scripts have a hash; script files and data have none', () => {
  const page =
    '<script type="module" src="/a.js"></script><script type="application/ld+json">{"a":"{{publicUrl}}"}</script>'
  expect(inlineHashes([page]).scriptHashes).toEqual([])
  expect(inlineHashes([`${page}<script>body{}</script>`]).scriptHashes).toEqual([hashOfBody])
})

test('a style with a placeholder is refused', () => {
  expect(() => inlineHashes(['<style>a{background:url({{publicUrl}})}</style>'])).toThrow('placeholder')
})
