import { beforeEach, expect, test, vi } from 'vitest'
import { about } from '../condition.ts'
import { showCondition, showSummary } from './doctor.ts'

/** Markup, terminal control codes, letters that reverse the line. */
const hostileText = '<img src=x onerror=alert(1)>\u001B[2J\u009B31m\u202E&"'

beforeEach(() => vi.stubEnv('FORCE_COLOR', '0'))

const spf = about('dns.spf')
const record = {
  name: 'bot.example',
  type: 'TXT',
  value: `v=spf1 ${'a:relay.example '.repeat(8)}~all`,
} as const

const conditions = [
  spf.fine('All is well.'),
  spf.warning('There is none.', 'Publish this.', { record }),
  spf.error(`It is wrong ${'as can be '.repeat(12)}`.trim(), 'Correct it.'),
  spf.notChecked('It cannot be looked at.'),
]

test('conditions are wrapped at 80 columns, but DNS records are not', () => {
  expect(conditions.map(showCondition).join('')).toBe(
    [
      'ok       All is well.',
      'WARNING  There is none.',
      '         Why  It tells receivers which servers may send for your domain.',
      '         Do   Publish this.',
      '              name:  bot.example',
      '              type:  TXT',
      `              value: ${record.value}`,
      'ERROR    It is wrong as can be as can be as can be as can be as can be as can be',
      '         as can be as can be as can be as can be as can be as can be',
      '         Why  It tells receivers which servers may send for your domain.',
      '         Do   Correct it.',
      '?        It cannot be looked at.',
      '',
    ].join('\n'),
  )
})

test('a terminal with colors shows the states in them', () => {
  vi.stubEnv('FORCE_COLOR', '1')
  expect(conditions.map(showCondition).join('')).toContain('\u001b[31mERROR')
})

test('text from a relay or the DNS cannot control the terminal', () => {
  const hostile = spf.error(`550 no\r\nnever ${hostileText}`, hostileText, {
    record: { ...record, name: hostileText, value: hostileText },
  })
  const shown = showCondition(hostile)
  expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(shown).toContain('550 no never <img')
  expect(shown.match(/\?\[2J\?31m/g)).toHaveLength(4)
})

test('the summary counts the conditions of each state', () => {
  expect(showSummary(conditions)).toBe('\n1 thing is wrong. 1 warning, 1 not checked, 1 ok.\n')
  expect(showSummary([])).toMatch(/^\nNothing is wrong\./)
})
