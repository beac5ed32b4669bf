import { expect, test } from 'vitest'
import { ownContent } from './own-content.ts'

test.each([
  ['rsi turn.pine', 'rsi-turn.pine'],
  ['Stratégie.v2.pine', 'Strategie-v2.pine'],
  ['my_bot-2.txt', 'my_bot-2.pine'],
  ['策略.pine', 'starter.pine'],
])("the owner's script %s is saved as %s", (name, savedAs) => {
  const bytes = Buffer.from('//@version=6\n// Version 1.0.0, 2026-11-30\nstrategy("A")\n')
  const files = { script: { name, mediaType: 'text/plain', bytes } }
  expect(ownContent({ difference: { texts: {} }, files }).kit.script.name).toBe(savedAs)
})
