import { isDatabaseFault } from '#server/database/database.ts'
import { CommandError } from '../command-line/command-context.ts'
import { explainError } from '../command-line/explain-error.ts'
import type { Check, CheckContext, Finding } from './finding.ts'

const defaultLimitMs = 15_000
const tryAgain = 'Run the doctor again. If this stays, it is a bug in the doctor: please report it.'

/** Never throws and never hangs: a check that fails or takes too long is unknown. */
export async function runCheck(
  { about, run, limitMs = defaultLimitMs }: Check,
  context: CheckContext,
): Promise<Finding[]> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<Finding[]>()
  const timer = setTimeout(() => {
    resolve([about.unknown(`This check had no result after ${limitMs / 1000} s.`, tryAgain)])
  }, limitMs)
  try {
    return [await Promise.race([run(context), timeIsUp])].flat()
  } catch (error) {
    const isExpected = error instanceof CommandError || isDatabaseFault(error)
    return [
      about.unknown(`This could not be checked. ${explainError(error)}`, isExpected ? undefined : tryAgain),
    ]
  } finally {
    clearTimeout(timer)
  }
}
