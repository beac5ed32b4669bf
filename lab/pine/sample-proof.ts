import type { SampleRun } from '#site/chart/sample-run.ts'
import { firstDifference } from './crossover-proof.ts'
import { runSample, shippedScript } from './pine-runner.ts'

const script = shippedScript()

/** The first thing in which a run differs from the script's own with the same lengths, in words. */
export async function differenceFromScript(run: SampleRun): Promise<string | undefined> {
  const own = await runSample(script, run.lengths)
  const differences = {
    'fast average': firstDifference(run.fast, own.fast),
    'slow average': firstDifference(run.slow, own.slow),
    trade: firstDifference(run.trades, own.trades),
  }
  const found = Object.entries(differences).find(([, difference]) => difference !== undefined)
  return found && `${found[0]} ${found[1]}`
}
