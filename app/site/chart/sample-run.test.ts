import { expect, test } from 'vitest'
import { closedTrades, sampleRun } from './sample-run.ts'

test('a trade that is still open has no place in the list of closed ones', () => {
  const { trades } = sampleRun
  const open = { entryBar: 118, entryPrice: 110, entryMessage: '{}' }
  const closed = closedTrades({ ...sampleRun, trades: [...trades, open] })
  expect(closed).toEqual(closedTrades(sampleRun))
  expect(closed.every(({ exitPrice }) => Number.isFinite(exitPrice))).toBe(true)
})
