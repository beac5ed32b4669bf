import { expect, test } from 'vitest'
import { bridges } from '../bridges/bridges.ts'
import { boxInWords } from './order.ts'

const bridgeNamed = (name: string) => bridges.find((bridge) => bridge.name === name)!

test.each([
  [
    'TradersPost',
    {},
    false,
    'An entry buys your chart’s symbol at the market, size as set at TradersPost. An exit closes the position.',
  ],
  [
    'PineConnector',
    { symbol: 'EURUSD', size: '0.01', exits: 'on' },
    true,
    'An entry buys EURUSD or sells it short at the market, 0.01 lots, with the script’s stop and target. An exit closes the position.',
  ],
  ['WunderTrading', {}, false, undefined],
] as const)('what the box of %s does', (name, filledIn, isBothWays, words) => {
  expect(boxInWords(bridgeNamed(name), filledIn, isBothWays)).toBe(words)
})
