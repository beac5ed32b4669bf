import { expect, test } from 'vitest'
import { namedMessages, ourMessages } from './known-messages.ts'
import { maskSecrets } from './mask-secrets.ts'
import { readAlert } from './read-alert.ts'

const theirs = namedMessages([
  { mark: 'up', name: 'Go', text: '{{ticker}} {{strategy.order.action}} with YOUR-CODE' },
])
const known = [...ourMessages(), ...theirs]

test.each([
  ['601234567890,buy,EURUSD,vol_lots=0.01', '•••,buy,EURUSD,vol_lots=0.01'],
  ['601234567890, buy, EURUSD', '•••, buy, EURUSD'],
  ['mykeys(XBTUSD) { market(position=1); } #bot', '•••(XBTUSD) { market(position=1); } #bot'],
  ['BTCUSD buy with abc', 'BTCUSD buy with •••'],
  ['{"secret": "s3", "bot_uuid":"b", "size":1}', '{"secret": "•••", "bot_uuid":"•••", "size":1}'],
  ['{"license": 601234, "a": 1}', '{"license": "•••", "a": 1}'],
  ['{"apiKey": "a\\"b", "key": "c"}', '{"apiKey": "•••", "key": "•••"}'],
  ['{“secret”: "s3,\n "a": 1', '{“secret”: "•••\n "a": 1'],
  ['{"webhook_key": "a", "Access Key": "b"}', '{"webhook_key": "•••", "Access Key": "•••"}'],
  ['{"pass": "a", "PWD": "b", "code": "ENTER"}', '{"pass": "•••", "PWD": "•••", "code": "•••"}'],
  ['{"x": {"auth": {"a": ["b"], "c": 1}, "d": 1}}', '{"x": {"auth": "•••", "d": 1}}'],
  ['{"passcode": "a", "pw": "b", "otp": 1}', '{"passcode": "•••", "pw": "•••", "otp": "•••"}'],
  ['{"secret": ["a", "b"], "c": 1}', '{"secret": "•••", "c": 1}'],
  [String.raw`{"a": "{\"secret\": \"b\"}"}`, String.raw`{"a": "{\"secret\": \"•••\"}"}`],
  ['{"secret" "a"}', '{"secret" "•••"}'],
  ['{secret": "a"}', '{secret": "•••"}'],
  ['{"secret: "a"}', '{"secret: "•••"}'],
  ['{secret: "a b"}', '{secret: "•••"}'],
  ["{'secret': 'a b'}", "{'secret': '•••'}"],
  ['{"secret": “a b”, "c": 1}', '{"secret": “•••”, "c": 1}'],
  ['{"secret": a b, "c": 1}', '{"secret": •••, "c": 1}'],
  ['secret  =  "a b" buy', 'secret  =  "•••" buy'],
  ['webhook_key=a buy', 'webhook_key=••• buy'],
  ['Authorization: Bearer abc', 'Authorization: •••'],
  ['buy\n"601234567890,buy"', 'buy\n"•••,buy"'],
  ['password=hunter2 buy', 'password=••• buy'],
  ['token: abc, buy', 'token: •••, buy'],
  ['{"x": "ABCDEFGHIJ1234567890"}', '{"x": "•••"}'],
  ['https://ana:hunter2@hooks.example/a', 'https://ana:•••@hooks.example/a'],
  ['https://webhooks.example/4f0c9a3e8b7d4c1f9e6a2b5d', 'https://webhooks.example/•••'],
])('%s is stored as %s', (message, masked) => {
  expect(maskSecrets(message, known)).toBe(masked)
})

test.each([
  '{"ticker": "BTCUSD", "action": "buy", "sentiment": "long", "signalPrice": 107.09}',
  'YOUR-LICENSE-ID,buy,EURUSD,vol_lots=YOUR-LOTS',
  '•••,buy,EURUSD,vol_lots=0,01',
  '{"ticker": "BANKNIFTY261126C52000", "action": "buy"}',
  'BTC-25DEC26-100000-C buy at 1, then long',
  '{"secret": "YOUR-SECRET", "timestamp": "2026-11-28T13:00:00Z"}',
  '{{strategy.order.alert_message}}',
  'EMA cross (9, 21): order buy @ 0.15 filled on BTCUSD. New strategy position is 0.15',
])('%s stays as it is', (message) => {
  expect(maskSecrets(message, known)).toBe(message)
})

test.each([
  '601234567890,buy,EURUSD,vol_lots=0.01',
  '{"secret": “a”}',
  '{"secret": a}',
  '{"secret": "a',
  '{"secret": {"a": 1}}',
])('%s reads masked as before', (message) => {
  expect(readAlert(maskSecrets(message, known), known)).toEqual(readAlert(message, known))
})

test('a word that an owner’s message has at such a name is no secret', () => {
  const text = '{"ticker": "BTCUSD", "code": "go", "secret": "YOUR-SECRET"}'
  const named = namedMessages([{ mark: 'up', name: 'Go', text }])
  const masked = maskSecrets('{"ticker":"ETHUSD","code":"go","secret":"s3"}', named)
  expect(masked).toBe('{"ticker":"ETHUSD","code":"go","secret":"•••"}')
  expect(readAlert(masked, named)).toMatchObject({ order: 'entry', faults: [] })
})

test.each([
  '"',
  'a ',
  'key=',
  'a-',
  '{{',
  '“a” :',
  '1,',
  '"secret":',
  '[',
  '"key":{',
  '"key":["',
  '"key" ',
  '\\',
  "key='",
  '1\n',
  'secret ',
])('64 KiB of %j are read and masked', (piece) => {
  // A pattern that goes back over all of it at each of its characters would not end in time.
  const message = piece.repeat(65_536 / piece.length)
  expect(readAlert(maskSecrets(message, known), known)).toMatchObject({ does: undefined })
})
