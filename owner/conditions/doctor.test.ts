import { beforeEach, expect, test, vi } from 'vitest'
import { showFinding, showSummary } from './doctor.ts'
import { subject } from './finding.ts'

/** Markup, terminal control codes, letters that reverse the line. */
const hostileText = '<img src=x onerror=alert(1)>\u001B[2J\u009B31m\u202E&"'

beforeEach(() => vi.stubEnv('FORCE_COLOR', '0'))

const about = subject('dns.spf')
const record = {
  name: 'bot.example',
  type: 'TXT',
  value: `v=spf1 ${'a:relay.example '.repeat(8)}~all`,
} as const

const findings = [
  about.ok('All is well.'),
  about.look('There is none.', 'Publish this.', record),
  about.wrong(`It is wrong ${'as can be '.repeat(12)}`.trim(), 'Correct it.'),
  about.unknown('It cannot be looked at.'),
]

test('findings are wrapped at 80 columns, but DNS records are not', () => {
  expect(findings.map(showFinding).join('')).toBe(
    [
      'ok       All is well.',
      'LOOK     There is none.',
      '         Why  It tells receivers which servers may send for your domain.',
      '         Do   Publish this.',
      '              name:  bot.example',
      '              type:  TXT',
      `              value: ${record.value}`,
      'WRONG    It is wrong as can be as can be as can be as can be as can be as can be',
      '         as can be as can be as can be as can be as can be as can be',
      '         Why  It tells receivers which servers may send for your domain.',
      '         Do   Correct it.',
      'unknown  It cannot be looked at.',
      '',
    ].join('\n'),
  )
})

test('a terminal with colors shows the states in them', () => {
  vi.stubEnv('FORCE_COLOR', '1')
  expect(findings.map(showFinding).join('')).toContain('\u001b[31mWRONG')
})

test('text from a relay or the DNS cannot control the terminal', () => {
  const hostile = about.wrong(`550 no\r\nnever ${hostileText}`, hostileText, {
    ...record,
    name: hostileText,
    value: hostileText,
  })
  const shown = showFinding(hostile)
  expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(shown).toContain('550 no never <img')
  expect(shown.match(/\?\[2J\?31m/g)).toHaveLength(4)
})

test('the summary counts the findings of each state', () => {
  expect(showSummary(findings)).toBe('\n1 thing is wrong. 1 ok, 1 to look at, 1 unknown.\n')
  expect(showSummary([])).toMatch(/^\nNothing is wrong\./)
})
