import { expect, test } from 'vitest'
import { type Content, defaultContent } from '#content/content.ts'
import { configOf } from '#owner/acts/owned-database.ts'
import { settingsWithoutDatabase } from '#server/settings/site-settings.ts'
import type { PublishedVersion } from '#server/site/versions/versions.ts'
import { judgeTexts } from './texts.ts'

const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://bot.invalid' }
const signed = { creatorName: 'Ada Byron', postalAddress: '1 Field Road [sic], London' }

interface Case {
  environment?: Record<string, string>
  isHeldBack?: boolean
  brand?: Partial<Content['brand']>
  published?: Partial<PublishedVersion>
}

function judged({ environment = production, isHeldBack = true, brand = {}, published }: Case) {
  const settings = { ...settingsWithoutDatabase(configOf({ environment })), isHeldBack }
  const content = { ...defaultContent, brand: { ...defaultContent.brand, ...signed, ...brand } }
  const version =
    published && ({ difference: { texts: {} }, files: {}, ...published } as PublishedVersion) // the parts that it reads
  const all = judgeTexts({ settings, content, published: version })
  return (id: string) => all.find((one) => one.id === id)!
}

function said(one: Case, id: string): string {
  const { severity, what } = judged(one)(id)
  return `${severity} ${what}`
}

test.each([
  [{}, 'fine Ada Byron, 1 Field Road [sic], London'],
  [{ creatorName: '[Creator name]' }, 'error Your name is missing.'],
  [{ postalAddress: '' }, 'error Your postal address is missing.'],
  [
    { creatorName: '', postalAddress: '[Postal address]' },
    'error Your name and postal address are missing.',
  ],
])('name and postal address %j: %s', (brand, expected) => {
  expect(said({ brand }, 'you.name')).toBe(expected)
})

test('on the machine of a developer a missing name is a warning', () => {
  const brand = { creatorName: '[Creator name]' }
  expect(said({ brand, environment: {}, isHeldBack: false }, 'you.name')).toMatch(/^warning /)
})

test('the kit is done with ours, and names what is yours', () => {
  const ids = ['script.given', 'guide.given', 'colour.chosen']
  expect(ids.map((id) => said({}, id))).toEqual([
    'fine Ours: EMA crossover.',
    'fine Ours, made from your texts.',
    'fine Ours.',
  ])
  const file = { hash: '', mediaType: '', size: 1 }
  const files = { script: { ...file, name: 'rsi.pine' }, guide: { ...file, name: 'rsi.pdf' } }
  const published = { files, difference: { texts: { 'palette.light.fast': '#08633c' } } }
  expect(ids.map((id) => said({ published }, id))).toEqual([
    'fine rsi.pine',
    'fine rsi.pdf',
    'fine Chosen by you.',
  ])
})

test('other placeholders are named with the labels of their fields', () => {
  const brand = { tagline: 'By [Your company], free.' }
  expect(said({ brand }, 'words.placeholders')).toMatch(
    /^error Placeholders are left: \[Your company\] in “[^”.]+”\.$/,
  )
  expect(said({}, 'words.placeholders')).toBe('fine No placeholder is left in your texts.')
})

test('without a link to an imprint there is a warning, by the label of the field; a privacy notice comes with the product', () => {
  const brand = { privacyUrl: '', imprintUrl: '' }
  expect(said({ brand }, 'content.legal-pages')).toBe('warning No link is set for “Imprint”.')
  expect(said({ brand, environment: {} }, 'content.legal-pages')).toMatch(/^fine /)
  const linked = { privacyUrl: '', imprintUrl: 'https://a.example/i' }
  expect(said({ brand: linked }, 'content.legal-pages')).toMatch(/^fine /)
})

test('a page that stays as an earlier build made it is an error, with the reason', () => {
  const published = { failure: { build: 'new', why: 'No font' } }
  const { severity, what, why } = judged({ published })('content.newest-page')
  expect([severity, what]).toEqual(['error', 'Your page could not be updated.'])
  expect(why).toMatch(/: No font\.$/)
})
