import { expect, test } from 'vitest'
import { linkTo } from './link-to.ts'

test.each([
  ['ready/you', 'ready', 'you'],
  ['mail-service', 'ready', 'you'],
  ['address', 'ready', 'you'],
  ['page#brand.imprintUrl', 'page', 'page'],
  ['letters/7', 'letters', 'letters'],
  ['', '', ''],
])('to %j leads %j before the page is open, and %j after', (place, before, after) => {
  expect(linkTo(place, { isHeldBack: true })).toBe(before)
  expect(linkTo(place, { isHeldBack: false })).toBe(after)
})
