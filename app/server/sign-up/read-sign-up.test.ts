import { describe, expect, test } from 'vitest'
import { formatAttribution } from '#contract/sign-up.ts'
import { readFormSignUp, readJsonSignUp } from './read-sign-up.ts'

const nothing = { form: 'program', campaign: 'none', suggestionAccepted: false }
const origins = { publicUrl: 'https://bot.example', allowedOrigins: [] }

function readHeader(header: string | undefined) {
  return readJsonSignUp(Buffer.from('{"email":"ada@example.com"}'), header)?.attribution
}

function readForm(body: string, referer: string | undefined) {
  return readFormSignUp(Buffer.from(body), referer, origins)
}

describe('the attribution header', () => {
  test('is read as the page writes it', () => {
    const written = { form: 'closing', campaign: 'newsletter', suggestionAccepted: true }
    const header = formatAttribution(written)
    expect(header).toBe('form=closing&campaign=newsletter&suggestion=accepted')
    expect(readHeader(header)).toEqual(written)
  })

  test('of a very long campaign beyond ASCII stays a short header value', () => {
    const header = formatAttribution({ form: 'hero', campaign: 'é'.repeat(10_000) })
    expect(header).toMatch(/^[\w%&=]{1,999}$/)
    expect(readHeader(header)).toEqual({ ...nothing, form: 'hero', campaign: 'other' })
  })

  test.each([undefined, '', '%', '&&=', 'nonsense', 'form=hero'.repeat(2), '{"form":"hero"}'])(
    '%j attributes a sign-up to nothing',
    (header) => {
      expect(readHeader(header)).toEqual(nothing)
    },
  )

  test.each([
    ['newsletter', 'newsletter'],
    ['Partner-Site_2.de', 'partner-site_2.de'],
    ['a'.repeat(40), 'a'.repeat(40)],
    ['a'.repeat(41), 'other'],
    ['', 'none'],
    [null, 'none'],
    [undefined, 'none'],
    ['ada@example.com', 'other'],
    ['-dash-first', 'other'],
    ['two words', 'other'],
    ['näher', 'other'],
    ['newsletter\n', 'other'],
  ])('counts the campaign %j as %s', (campaign, counted) => {
    expect(readHeader(formatAttribution({ form: 'hero', campaign }))?.campaign).toBe(counted)
  })

  test.each([
    ['hero', 'hero'],
    ['closing', 'closing'],
    ...['', 'footer', 'program', 'toString'].map((other) => [other, 'program']),
  ])('counts the form %j as %s', (form = '', counted) => {
    expect(readHeader(formatAttribution({ form }))?.form).toBe(counted)
  })

  test.each([
    ['accepted', true],
    ['true', false],
    ['', false],
  ])('counts the suggestion %j as accepted: %s', (suggestion, accepted) => {
    expect(readHeader(`suggestion=${suggestion}`)?.suggestionAccepted).toBe(accepted)
  })
})

describe('a plain form', () => {
  test.each([
    ['https://bot.example/?utm_medium=mail&utm_source=newsletter', 'newsletter'],
    ['https://bot.example/?utm_medium=mail', 'none'],
    ['https://evil.example/?utm_source=newsletter', 'none'],
    ['http://bot.example/?utm_source=newsletter', 'none'],
    ['utm_source=newsletter', 'none'],
    [undefined, 'none'],
  ])('on the page %j has the campaign %j', (referer, campaign) => {
    expect(readForm('email=a%40b.co&form=hero', referer)).toEqual({
      email: 'a@b.co',
      attribution: { form: 'hero', campaign, suggestionAccepted: false },
    })
  })

  test('has the campaign of its own field, if there is one', () => {
    const { attribution } = readForm('campaign=forum', 'https://bot.example/?utm_source=newsletter')
    expect(attribution.campaign).toBe('forum')
  })
})
