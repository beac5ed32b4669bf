import { describe, expect, test } from 'vitest'
import { calm, type Figures, assess } from './assess.ts'

const usual: Figures = { signUps: 50, usual: 60, mails: 50, badMails: 1, domains: 50, newDomains: 10 }

describe('the level of ten minutes', () => {
  test.each([
    ['as many sign-ups as usual', {}, 'calm'],
    ['more sign-ups than usual', { signUps: 61 }, 'watch'],
    ['more than three times as many', { signUps: 181 }, 'storm'],
    ['a tenth of the mail refused', { mails: 50, badMails: 5 }, 'calm'],
    ['more than a tenth of the mail refused', { mails: 50, badMails: 6 }, 'watch'],
    ['four of very few mails refused', { mails: 4, badMails: 4 }, 'calm'],
    ['most of the mail domains new', { newDomains: 26 }, 'watch'],
    ['more sign-ups, at new domains', { signUps: 61, newDomains: 26 }, 'storm'],
    ['mail refused at new domains', { badMails: 30, newDomains: 26 }, 'storm'],
    ['all signs with very few sign-ups', { signUps: 19, usual: 1, badMails: 19, newDomains: 19 }, 'calm'],
  ] as const)('%s', (_what, seen, level) => {
    expect(assess({ ...usual, ...seen }, calm).level).toBe(level)
  })
})

test('the level rises at once and falls by one step after ten minutes in a row', () => {
  let assessment = assess({ ...usual, signUps: 200 }, calm)
  const levels = Array.from({ length: 20 }, () => (assessment = assess(usual, assessment)).level)
  expect(levels).toEqual([...Array<string>(9).fill('storm'), ...Array<string>(10).fill('watch'), 'calm'])
})

test('one wild minute among quiet ones keeps the level where it is', () => {
  let assessment = assess({ ...usual, signUps: 200 }, calm)
  for (let minute = 1; minute <= 30; minute += 1) {
    assessment = assess(minute % 9 === 0 ? { ...usual, signUps: 200 } : usual, assessment)
    expect(assessment.level).toBe('storm')
  }
})
