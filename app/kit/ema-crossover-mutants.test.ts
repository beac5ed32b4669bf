import { describe, expect, test } from 'vitest'
import * as proof from '#lab/pine/crossover-proof.ts'
import { lintPine } from '#lab/pine/pine-lint.ts'
import { shippedScript } from '#lab/pine/shipped-script.ts'

const script = shippedScript()

/** Each mutant is one mistake in the script, with the checks that must find it. */
const mutants: readonly { mistake: string; from: string; to: string; caughtBy: readonly Proof[] }[] = [
  { mistake: 'wrong length', from: 'input.int(9,', to: 'input.int(10,', caughtBy: ['averages', 'trades'] },
  {
    mistake: 'both averages of one length',
    from: 'ta.ema(source, slowLength)',
    to: 'ta.ema(source, fastLength + 12)',
    caughtBy: ['averages', 'trades'],
  },
  {
    mistake: '> for crossover',
    from: 'ta.crossover(fast, slow)',
    to: 'fast > slow',
    caughtBy: ['trades', 'messages'],
  },
  {
    mistake: '< for crossunder',
    from: 'ta.crossunder(fast, slow)',
    to: 'fast < slow',
    caughtBy: ['trades', 'messages'],
  },
  {
    mistake: 'entry without the confirmed bar',
    from: 'buy = crossedUp and barstate.isconfirmed',
    to: 'buy = crossedUp',
    caughtBy: ['openBar'],
  },
  {
    mistake: 'exit without the confirmed bar',
    from: 'sell = crossedDown and barstate.isconfirmed',
    to: 'sell = crossedDown',
    caughtBy: ['openBar'],
  },
  {
    mistake: 'an entry on every confirmed bar',
    from: 'buy and allowed',
    to: 'buy or allowed',
    caughtBy: ['trades', 'messages'],
  },
  {
    mistake: 'an entry without a message',
    from: ', alert_message = message("sell", "short", close)',
    to: '',
    caughtBy: ['messages'],
  },
  {
    mistake: 'broken JSON: a quote lost',
    from: `'",\\n  "signalPrice": '`,
    to: `',\\n  "signalPrice": '`,
    caughtBy: ['messages'],
  },
  {
    mistake: 'wrong action in a message',
    from: 'strategy.close("Long", alert_message = message("sell"',
    to: 'strategy.close("Long", alert_message = message("buy"',
    caughtBy: ['messages'],
  },
  {
    mistake: 'a nested placeholder in a message',
    from: 'syminfo.ticker + " " + action',
    to: '"{{ticker}} " + action',
    caughtBy: ['messages'],
  },
  {
    mistake: 'a message forgotten',
    from: 'alert_loss =',
    to: 'comment_loss =',
    caughtBy: ['messages'],
  },
  {
    mistake: 'look-ahead into the next bar',
    from: 'ta.ema(source, fast',
    to: 'ta.ema(source[-1], fast',
    caughtBy: ['averages', 'trades'],
  },
  {
    mistake: 'fills on the close that made the signal',
    from: 'process_orders_on_close = false',
    to: 'process_orders_on_close = true',
    // pinets does not act on this argument.
    caughtBy: ['lint'],
  },
  {
    mistake: 'look-ahead through a higher timeframe',
    from: 'ta.ema(source, fast',
    to: 'ta.ema(request.security(syminfo.ticker, "W", close, lookahead = barmerge.lookahead_on), fast',
    caughtBy: ['lint'],
  },
  {
    mistake: 'stop and target swapped',
    from: 'profit = ticks(targetPercent), loss = ticks(stopPercent)',
    to: 'profit = ticks(stopPercent), loss = ticks(targetPercent)',
    caughtBy: ['trades'],
  },
  {
    mistake: 'stop in price instead of ticks',
    from: ' / 100 / syminfo.mintick',
    to: ' / 100',
    caughtBy: ['trades'],
  },
  {
    mistake: 'both directions by default',
    from: 'input.string("Long only"',
    to: 'input.string("Long and short"',
    caughtBy: ['trades', 'messages'],
  },
  {
    mistake: 'no exit on the cross back',
    from: 'if sell and not goShort',
    to: 'if buy and not goShort',
    caughtBy: ['trades', 'messages'],
  },
  {
    mistake: 'an exit order besides the reversal',
    from: 'if sell and not goShort and',
    to: 'if sell and',
    caughtBy: ['messages'],
  },
]

const proofs = {
  averages: proof.averageFaults,
  trades: proof.tradeFaults,
  openBar: proof.openBarFaults,
  messages: proof.messageFaults,
}

type Proof = keyof typeof proofs | 'lint'

describe('the checks find this mistake in the script:', () => {
  test.each(mutants)('$mistake', async ({ from, to, caughtBy }) => {
    expect(script).toContain(from)
    const mutant = script.replace(from, to)
    const noticed = await Promise.all(caughtBy.map((name) => hasFaults(name, mutant)))
    expect(caughtBy.filter((_, index) => !noticed[index])).toEqual([])
  })
})

/** A mutant that no longer runs counts as found. */
async function hasFaults(name: Proof, source: string): Promise<boolean> {
  if (name === 'lint') return lintPine(source).length > 0
  try {
    return !(await proofs[name](source).next()).done
  } catch {
    return true
  }
}
