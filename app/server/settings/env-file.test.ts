import { expect, test } from 'vitest'
import { cutValues } from './env-file.ts'

test.each([
  'ANON_KEY=my#key',
  'ANON_KEY = my#key # a comment',
  'ANON_KEY=my words#key',
  'ANON_KEY=my#"key"',
  'ANON_KEY=#key',
  'ANON_KEY=key#\nPORT=1',
  'export ANON_KEY=my#key\r\nPORT=1',
  '# A comment\n  ANON_KEY=a.b*c#key',
  'ANON_KEY=first\nANON_KEY=my#key',
  'ANON_KEY=my#key#',
  'ANON_KEY=my# ',
  '\tANON_KEY\t=\tmy#key\t',
  'NOTE="two\nlines"\nANON_KEY=my#key',
])('a value that Node cuts is told, with how to quote it: %j', (text) => {
  expect(cutValues(text, {})).toEqual([
    expect.stringMatching(/^ANON_KEY in \.env ends at its #: .*ANON_KEY="…"/),
  ])
  expect(cutValues(text, { ANON_KEY: 'already set' })).toEqual([])
})

test.each([
  'ANON_KEY="my"key#',
  'ANON_KEY="my\\"key"',
  "ANON_KEY='it''s#'",
  "ANON_KEY='my\nPORT='1'",
  'ANON_KEY=`my`key',
])('a value that ends at a quote of its own is told: %j', (text) => {
  expect(cutValues(text, {})).toEqual([
    expect.stringMatching(/^ANON_KEY in \.env ends at its second .: .*ANON_KEY=/),
  ])
})

test.each(['ANON_KEY="my#key', "ANON_KEY='my key", 'ANON_KEY=`my\nPORT=1'])(
  'a quote that is not closed is told: %j',
  (text) => {
    expect(cutValues(text, {})).toEqual([expect.stringMatching(/^ANON_KEY .* is not closed$/)])
  },
)

test('each variable is told', () => {
  const text = 'ANON_KEY=a#b\nPORT=3000\nSMTP_URL=smtp://bot:2024#Secret@smtp.example.net:587\n'
  expect(cutValues(text, {})).toEqual([
    expect.stringMatching(/^ANON_KEY /),
    expect.stringMatching(/^SMTP_URL .* %23 for #/),
  ])
})

test.each([
  'ANON_KEY="my#key"',
  "ANON_KEY='my#key'",
  'ANON_KEY=`my#key`',
  'ANON_KEY=key # a comment',
  'ANON_KEY=key #a comment',
  'ANON_KEY=key# a comment',
  'ANON_KEY= #a comment',
  'ANON_KEY=# a comment',
  'ANON_KEY="my#key"# a comment',
  'ANON_KEY="my#key" #a comment\r\nPORT=1',
  "ANON_KEY='my\"#key'",
  'ANON_KEY=my"key"',
  'ANON_KEY=my#key\nANON_KEY=my',
  'ANON_KEY=',
  '#ANON_KEY=my#key',
  'NOTE="two lines\nANON_KEY=my#key"',
])('a whole value is taken: %j', (text) => {
  expect(cutValues(text, {})).toEqual([])
})
