import { CommandError } from '../command-line/command-context.ts'
import { explainError, isDatabaseFault } from '../command-line/explain-error.ts'
import {
  type Check,
  type CheckContext,
  type Finding,
  type FindingId,
  NotChecked,
  subject,
} from './finding.ts'

/** The slowest are the test mail, and the integrity of a big file. */
const limitSeconds = 90
const tryAgain = 'Run the doctor again. If this stays, it is a bug in the doctor: please report it.'

/** Never throws and never hangs: a check that fails or takes too long is unknown. */
export async function runCheck(id: FindingId, check: Check, context: CheckContext): Promise<Finding[]> {
  const about = subject(id)
  const { promise: timeIsUp, resolve } = Promise.withResolvers<Finding>()
  const late = about.unknown(`This check had no result after ${limitSeconds} s.`, tryAgain)
  const timer = setTimeout(() => resolve(late), limitSeconds * 1000)
  try {
    return [await Promise.race([check(context, about), timeIsUp])].flat()
  } catch (error) {
    if (error instanceof NotChecked) return [about.unknown(error.message, error.advice)]
    const isExpected = error instanceof CommandError || isDatabaseFault(error)
    const what = `This could not be checked. ${explainError(error)}`
    return [about.unknown(what, isExpected ? undefined : tryAgain)]
  } finally {
    clearTimeout(timer)
  }
}
