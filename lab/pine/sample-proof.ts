import type { SampleRun, Trade } from '#site/chart/sample-run.ts'
import { warmUpBars } from '#site/chart/sample-series.ts'
import { oracleAverages, oracleTrades } from './crossover-oracle.ts'
import { firstDifference } from './crossover-proof.ts'
import { runSample, shippedScript } from './pine-runner.ts'
import { priceSeries } from './price-series.ts'

const script = shippedScript()

/** The first thing in which a run differs from the script's own with the same lengths, in words. */
export async function differenceFromScript(run: SampleRun): Promise<string | undefined> {
  return differenceOf(run, await runSample(script, run.lengths))
}

/**
 * The same for the averages and fills that follow from the rules, without the script and its
 * messages: in a hundredth of the time.
 */
export function differenceFromRules(run: SampleRun): string | undefined {
  const bars = priceSeries.sample
  const { fast, slow } = oracleAverages(bars, run.lengths)
  const trades = oracleTrades(bars, run.lengths)
    .filter(({ exitBar = warmUpBars }) => exitBar >= warmUpBars)
    .map((trade) => fillsOf(trade, warmUpBars))
  const ruled = { fast: fast.slice(warmUpBars), slow: slow.slice(warmUpBars), trades }
  return differenceOf({ ...run, trades: run.trades.map((trade) => fillsOf(trade)) }, ruled)
}

/** `firstBar`: the one that becomes bar 0. */
function fillsOf({ entryBar, entryPrice, exitBar, exitPrice }: Trade, firstBar = 0): Trade {
  return {
    entryBar: entryBar - firstBar,
    entryPrice,
    ...(exitBar !== undefined &&
      exitPrice !== undefined && { exitBar: exitBar - firstBar, exitPrice }),
  }
}

type Compared = Pick<SampleRun, 'fast' | 'slow'> & { readonly trades: readonly Trade[] }

function differenceOf(run: Compared, wanted: Compared): string | undefined {
  const differences = {
    'fast average': firstDifference(run.fast, wanted.fast),
    'slow average': firstDifference(run.slow, wanted.slow),
    trade: firstDifference(run.trades, wanted.trades),
  }
  const found = Object.entries(differences).find(([, difference]) => difference !== undefined)
  return found && `${found[0]} ${found[1]}`
}
