import { expect, test } from 'vitest'
import { differenceFromScript } from '#lab/pine/sample-proof.ts'
import { closedTrades, countTrades, runScript, sampleRun } from './sample-run.ts'

const { trades } = sampleRun
const open = { entryBar: 118, entryPrice: 110, entryMessage: '{}' }

// Every pair is compared in sample-run.slow.test.ts.
test.each([sampleRun.lengths, { fast: 2, slow: 3 }, { fast: 49, slow: 50 }])(
  'with the lengths %j averages, trades and messages are those of the script',
  async (lengths) => {
    expect(await differenceFromScript(runScript(lengths))).toBeUndefined()
  },
)

test('a trade that is still open has no place in the list of closed ones', () => {
  const closed = closedTrades({ ...sampleRun, trades: [...trades, open] })
  expect(closed).toEqual(closedTrades(sampleRun))
  expect(closed.every(({ exitPrice }) => Number.isFinite(exitPrice))).toBe(true)
})

test('losing trades are counted after costs, and their longest run', () => {
  const earning = (entryBar: number, earned: number) => ({
    ...open,
    entryBar,
    exitBar: entryBar + 1,
    entryPrice: 100,
    exitPrice: 100 + earned,
    exitMessage: '{}',
  })
  // Two orders at about 100 cost 0.24: 0.1 % and two ticks each.
  const run = [-1, 0.2, 0.3, -1, -1, -1, 5].map((earned, bar) => earning(bar, earned))
  const counts = countTrades({ ...sampleRun, trades: [...run, open] })
  expect(counts).toMatchObject({ closed: 7, isOneOpen: true, losing: 5, longestLosingRun: 3 })
  expect(counts.costs).toBeCloseTo(7 * 0.24, 1)
})
