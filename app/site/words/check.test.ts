import { describe, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { checkContent } from './check.ts'
import type { ContentValue } from './description.ts'
import type { OwnKinds } from './defaults.ts'

function found(texts: Record<string, ContentValue>, own: OwnKinds = {}) {
  return checkContent({ texts }, own)
}

function said(path: string, value: ContentValue, own: OwnKinds = {}): string[] {
  return found({ [path]: value }, own)
    .filter((finding) => finding.path === path)
    .map(({ kind, message }) => `${kind}: ${message}`)
}

test('the default texts have no fault', () => {
  const texts = {
    'brand.name': defaultContent.brand.name,
    'starterEmail.steps': defaultContent.starterEmail.steps,
    'setupGuide.steps': defaultContent.setupGuide.steps,
    releases: defaultContent.releases,
    'landingPage.howItWorks.steps': defaultContent.landingPage.howItWorks.steps,
  } as unknown as Record<string, ContentValue> // lists of texts
  expect(found(texts)).toEqual([])
})

describe('a text', () => {
  test('without letters must stand where one must', () => {
    expect(said('brand.name', ' ')).toEqual(['fault: A text must stand here.'])
    expect(said('brand.privacyUrl', '')).toEqual([])
  })

  test('that is too long says how many letters it has and how many have room', () => {
    expect(said('landingPage.hero.heading.0', 'x'.repeat(31))).toEqual([
      'fault: It has 31 letters; 30 have room.',
    ])
  })

  test.each(['\u0007', '\u202E', '\uE000', '\uD800', '\n'])(
    'with the character %j is refused',
    (character) => {
      expect(said('brand.name', `Bot${character}`)[0]).toContain('cannot be printed')
    },
  )

  test('that the specification sets is a default, and may be changed', () => {
    expect(said('landingPage.hero.badge', 'Gratis')).toEqual([])
    expect(said('brand.copyrightYear', 2027)).toEqual([])
    expect(said('brand.copyrightYear', 27)).toEqual([
      'fault: It is a whole number from 1900 to 2100.',
    ])
  })

  test('that does not exist is named', () => {
    expect(said('landingPage.hero.subtitle', 'x')).toEqual([
      'fault: There is no text “landingPage.hero.subtitle”.',
    ])
  })

  test('keeps the names that are filled in, and has no others', () => {
    expect(said('personalPage.text', 'Made for you.')).toEqual([
      'fault: It needs {address}, which is filled in.',
    ])
    expect(said('landingPage.title', '{brnad}: free')).toEqual([
      'fault: Nothing is filled in for {brnad} here. Known: {brand}, {script}, {rule}, {tryOn}.',
    ])
    expect(said('brand.name', 'Bot {address}')).toEqual([
      'fault: Nothing is filled in for {address} here.',
    ])
  })
})

test('findings are in the order of the fields at the desk, and those of one field in theirs', () => {
  const texts = {
    'palette.light.ink': 'blue',
    'starterEmail.steps': ['', 'x', ''],
    'offer.title': 'The course',
    'landingPage.hero.lede': '',
    'no.such.text': 'x',
    'brand.privacyUrl': 'localhost',
    'brand.name': '',
  }
  expect(found(texts).map(({ path }) => path)).toEqual([
    'brand.name',
    'brand.privacyUrl',
    'landingPage.hero.lede',
    'starterEmail.steps.0',
    'starterEmail.steps.2',
    'offer.text',
    'offer.linkText',
    'offer.url',
    'palette.light.ink',
    'no.such.text',
  ])
})

describe('a link', () => {
  test.each([
    ['javascript:alert(1)', 'begins with “javascript:”'],
    ['data:text/html,x', 'begins with “data:”'],
    ['localhost', 'a host with a dot'],
    ['https://', 'a host with a dot'],
    ['my page.example', 'a host with a dot'],
    ['https://me:secret@x.example', 'a password'],
  ])('that is none is refused: %s', (link, words) => {
    expect(said('brand.imprintUrl', link)[0]).toContain(words)
  })

  test.each(['x.example/imprint', 'https://x.example', 'http://sub.x.example:8080/a?b#c'])(
    'is taken: %s',
    (link) => {
      expect(said('brand.imprintUrl', link)).toEqual([])
    },
  )
})

describe('letters', () => {
  test('that the page lacks are a warning', () => {
    expect(said('landingPage.hero.lede', '漢')).toEqual([
      'warning: The page’s font has no “漢”. It is shown in another face.',
    ])
    expect(said('landingPage.hero.lede', 'Łódź, naïve, “ß”')).toEqual([])
  })

  test('that a drawing lacks are a fault, unless the owner has a file of their own there', () => {
    expect(said('setupGuide.paper.intro', 'Ж')).toEqual(['fault: The guide’s font has no “Ж”.'])
    expect(said('landingPage.hero.heading.0', 'Ж')).toEqual([
      'fault: The share picture’s font has no “Ж”.',
    ])
    const own = { guide: true, sharePicture: true }
    expect(said('landingPage.hero.heading.0', 'Ж', own)).toEqual([
      'warning: The page’s font has no “Ж”. It is shown in another face.',
    ])
  })
})

describe('a list', () => {
  test('has as many entries as have room', () => {
    expect(said('landingPage.creatorNote.paragraphs', [])).toEqual([
      'fault: At least one entry must stand here.',
    ])
    expect(said('starterEmail.steps', Array(11).fill('x'))).toEqual([
      'fault: It has 11 entries; 10 are the most.',
    ])
  })

  test('has its faults at the text of the entry', () => {
    expect(found({ 'starterEmail.steps': ['Open it.', ''] })).toMatchObject([
      { path: 'starterEmail.steps.1', message: 'A text must stand here.' },
    ])
    const [first] = defaultContent.setupGuide.steps
    const step = { ...first, link: { text: 'x', url: 'javascript:x' } } as unknown as ContentValue
    expect(found({ 'setupGuide.steps': [step] })).toMatchObject([
      { path: 'setupGuide.steps.0.link.url', kind: 'fault' },
    ])
  })

  test('has no part that its entries do not have', () => {
    const [first] = defaultContent.setupGuide.steps
    const step = { ...first, html: '<b>' } as unknown as ContentValue
    expect(found({ 'setupGuide.steps': [step] })).toMatchObject([
      { message: 'There is no text “setupGuide.steps.0.html”.' },
    ])
  })
})

test('a colour that cannot be read on its paper is refused, on the dark band too', () => {
  expect(said('palette.light.ink2', '#cccccc')[0]).toMatch(/light paper its contrast is 1\.\d/)
  expect(said('palette.light.rule', '#f6f7f3')).toEqual([])
  expect(said('palette.light.ink', 'blue')[0]).toContain('six digits')
})

test('an offer is whole or none', () => {
  expect(said('offer.url', '')).toEqual([])
  expect(found({ 'offer.title': 'The course' }).map(({ path }) => path)).toEqual([
    'offer.text',
    'offer.linkText',
    'offer.url',
  ])
})

describe('with a script of the owner’s own', () => {
  const own = { script: true }

  test('its rule must be given, and ours need not', () => {
    expect(found({}, own)).toEqual([
      { path: 'kit.rule', message: 'Say in one sentence what your script does.', kind: 'fault' },
    ])
    expect(found({ 'kit.rule': 'It buys when the RSI turns.' }, own)).toEqual([])
    expect(found({})).toEqual([])
  })

  test('a text names no part of the page that goes with it', () => {
    const texts = { 'setupGuide.paper.intro': 'Look below {bridges}.' }
    expect(found(texts)).toEqual([])
    expect(found({ ...texts, 'kit.rule': 'x' }, own)).toMatchObject([
      { path: 'setupGuide.paper.intro', kind: 'fault' },
    ])
  })
})

test('a fact about the script holds no names, since it is filled in itself', () => {
  expect(said('kit.rule', 'It buys {what}.')[0]).toContain('Nothing is filled in for {what}')
  expect(said('landingPage.closingCall.heading.0', '{rule}')).toEqual([])
})

test.each(['en', 'fr', 'pt-BR'])('the language %s is taken', (language) => {
  expect(said('brand.language', language)).toEqual([])
})

test.each(['English', 'x', 'aa-bbb-cccc-ddd'])('the language %s is refused', (language) => {
  expect(said('brand.language', language)).toEqual(['fault: A language is a tag such as fr.'])
})
