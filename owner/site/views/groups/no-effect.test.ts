import { expect, test } from 'vitest'
import { fieldAt } from '#site/words/description.ts'
import { reasonForNoEffect } from './no-effect.ts'

const reasonOf = (path: string, own: object) => reasonForNoEffect(fieldAt(path)!, own)

test.each([
  ['setupGuide.title', { guide: true }, 'The guide is yours'],
  ['setupGuide.coverCaption', { script: true }, 'The script is yours'],
  ['personalPage.bridges.heading', { script: true }, 'The script is yours'],
  ['landingPage.chart.fast.term', { chart: true }, 'The chart is yours'],
  ['landingPage.chart.ownChart', {}, 'You have no chart of your own'],
  ['kit.messages', {}, 'You give away our script'],
])('the text %s beside the files %j has no effect: %s', (path, own, reason) => {
  expect(reasonOf(path, own)).toBe(reason)
})

test('other texts have one', () => {
  const own = { script: true, guide: true }
  expect(reasonOf('landingPage.hero.lede', own)).toBeUndefined()
  expect(reasonOf('setupGuide.title', { script: true })).toBeUndefined()
  expect(reasonOf('kit.messages', own)).toBeUndefined()
})
