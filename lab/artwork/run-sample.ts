import type { SampleRun } from '#kit/sample-run.ts'
import { scriptInputs } from '#kit/script-inputs.ts'
import { runPine } from '../pine/pine-runner.ts'
import { priceSeries } from '../pine/price-series.ts'

const warmUpBars = 80

/** Executes the script by its own defaults on the sample series, without slippage. */
export async function runSample(script: string): Promise<SampleRun> {
  const { fast, slow, trades, messages } = await runPine(script, priceSeries.sample, { slippage: 0 })
  const lengthOf = (line: string) =>
    Number(scriptInputs(script).find(({ name }) => name === `${line}Length`)?.default)
  const sentBefore = (fill: number) => messages.find(({ bar }) => bar === fill - 1)?.text ?? ''
  return {
    lengths: { fast: lengthOf('fast'), slow: lengthOf('slow') },
    bars: priceSeries.sample.slice(warmUpBars),
    fast: fast.slice(warmUpBars),
    slow: slow.slice(warmUpBars),
    trades: trades
      .filter(({ entryBar }) => entryBar >= warmUpBars)
      .map(({ entryBar, entryPrice, exitBar, exitPrice }) => ({
        entryBar: entryBar - warmUpBars,
        entryPrice,
        entryMessage: sentBefore(entryBar),
        ...(exitBar !== undefined &&
          exitPrice !== undefined && {
            exitBar: exitBar - warmUpBars,
            exitPrice,
            exitMessage: sentBefore(exitBar),
          }),
      })),
  }
}
