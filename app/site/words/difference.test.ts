import { expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { applyDifference } from './difference.ts'

test('the owner’s texts take the place of the default ones, and nothing else changes', () => {
  const texts = { 'brand.name': 'Tide Bot', 'landingPage.hero.heading.1': 'in plain lines.' }
  const { brand, landingPage, ...others } = applyDifference(defaultContent, { texts })
  const { brand: ourBrand, landingPage: ourPage, ...ours } = defaultContent
  expect(brand).toEqual({ ...ourBrand, name: 'Tide Bot' })
  const heading = ['A trading bot', 'in plain lines.']
  expect(landingPage).toEqual({ ...ourPage, hero: { ...ourPage.hero, heading } })
  expect(others).toEqual(ours)
  expect(ourBrand.name).toBe('Starter Bot')
})

test('a text that no longer exists counts for nothing', () => {
  const texts = { 'landingPage.hero.subtitle': 'x' }
  expect(applyDifference(defaultContent, { texts })).toEqual(defaultContent)
})

test('a link without a scheme gets one', () => {
  const { brand } = applyDifference(defaultContent, {
    texts: { 'brand.imprintUrl': ' x.example/imprint' },
  })
  expect(brand.imprintUrl).toBe('https://x.example/imprint')
})

test('the texts of an offer take the place of empty ones', () => {
  const offer = {
    title: 'The course',
    text: 'Six evenings.',
    linkText: 'Read',
    url: 'https://x.example',
  }
  const texts = Object.fromEntries(
    Object.entries(offer).map(([name, value]) => [`offer.${name}`, value]),
  )
  expect(applyDifference(defaultContent, { texts }).offer).toMatchObject(offer)
})

test('steps without a letter in their titles get addresses of their own, too', () => {
  const steps = [{ title: '打开' }, { title: '图表' }, { title: 'Step' }]
  const content = applyDifference(defaultContent, { texts: { 'setupGuide.steps': steps } })
  expect(content.setupGuide.steps.map(({ id }) => id)).toEqual(['step', 'step-2', 'step-step'])
})

test('a new step of the guide gets an address of its own, and an old one keeps its', () => {
  const [first] = defaultContent.setupGuide.steps
  const step = {
    title: 'Öffne das Chart',
    minute: 1,
    untilMinute: 2,
    intro: 'x',
    actions: ['a'],
    caption: '',
    picture: '',
    youShouldSee: 'x',
    help: 'x',
  }
  const texts = { 'setupGuide.steps': [{ ...first, actions: ['a'] }, step, step] } as never
  const { steps } = applyDifference(defaultContent, { texts }).setupGuide
  expect(steps.map(({ id }) => id)).toEqual([
    'open-the-pine-editor',
    'step-offne-das-chart',
    'step-offne-das-chart-2',
  ])
  expect(steps[1]).not.toHaveProperty('caption')
  expect(steps[1]).not.toHaveProperty('picture')
})
