import { expect, test } from 'vitest'
import { inlineHashes } from './inline-hashes.ts'

test('a style with a placeholder is refused', () => {
  expect(() => inlineHashes(['<style>a{background:url({{publicUrl}})}</style>'])).toThrow('placeholder')
})
