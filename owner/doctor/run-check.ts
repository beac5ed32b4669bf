import { isDatabaseFault } from '#server/database/faults.ts'
import { Refusal } from '../command-line/command.ts'
import { explainFault } from '../command-line/explain-fault.ts'
import type { Check, Finding, Means } from './finding.ts'

const usualLimitMs = 15_000

/** Never throws and never hangs: what a check does not find out in its time is unknown. */
export async function runCheck(
  { about, look, limitMs = usualLimitMs }: Check,
  means: Means,
): Promise<Finding[]> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<Finding[]>()
  const timer = setTimeout(() => {
    resolve([about.unknown(`This was given up after ${limitMs / 1000} s without a result.`, tryAgain)])
  }, limitMs)
  try {
    return await Promise.race([look(means), timeIsUp])
  } catch (fault) {
    const isExpected = fault instanceof Refusal || isDatabaseFault(fault)
    return [
      about.unknown(`This could not be looked at. ${explainFault(fault)}`, isExpected ? undefined : tryAgain),
    ]
  } finally {
    clearTimeout(timer)
  }
}

const tryAgain = 'Run the doctor again; if it stays so, it is a fault of the doctor: please report it.'
