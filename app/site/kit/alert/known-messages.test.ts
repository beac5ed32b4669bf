import { describe, expect, test } from 'vitest'
import { namedMessages } from './known-messages.ts'
import { readAlert } from './read-alert.ts'

describe('a script of the owner’s', () => {
  const theirs = namedMessages([
    {
      mark: 'up',
      name: 'Go',
      text: '{"side": "in", "pair": "BTCUSD", "pass": "YOUR-PASS", "at": 9.5}',
    },
    {
      mark: 'down',
      name: 'Leave',
      text: '{"side": "out", "pair": "BTCUSD", "pass": "YOUR-PASS", "at": 9}',
    },
    {
      mark: 'up',
      name: 'Line',
      text: '{{ticker}}: {{strategy.order.action}} {{strategy.order.contracts}}',
    },
    { mark: 'down', name: 'Stop', text: 'CLOSE ALL in BTCUSD at 107.09' },
    { mark: 'down', name: 'Flat', text: 'all flat' },
  ])

  test.each([
    ['{"side":"in","pair":"ETHUSD","pass":"x","at":1}', 'entry', 'It is the message “Go”.'],
    ['{"side":"out","pair":"ETHUSD","pass":"x","at":1}', 'exit', 'It is the message “Leave”.'],
    ['ETHUSD: buy 3', 'entry', 'Buys ETHUSD at the market, size 3.'],
    ['CLOSE ALL in SOLUSD at 5', 'exit', 'It is the message “Stop”.'],
    ['all flat', 'exit', 'It is the message “Flat”.'],
  ])('%s', (message, order, does) => {
    expect(readAlert(message, theirs)).toMatchObject({ order, faults: [] })
    expect(readAlert(message, theirs).does).toContain(does)
  })

  test('what differs from the message that it is most like', () => {
    expect(readAlert('{"side":"in","pair":"ETHUSD","pass":"x"}', theirs).faults).toEqual([
      'The message “Go” also has “at”.',
    ])
  })

  test('a message that they did not name; without named messages nothing is compared', () => {
    expect(readAlert('ETHUSD buy', theirs).faults).toEqual([
      expect.stringContaining('none of the messages'),
    ])
    expect(readAlert('ETHUSD buy', []).faults).toEqual([])
  })
})
