import { isDatabaseFault } from '#server/database/database.ts'
import { CommandError } from '../command-line/command-context.ts'
import { explainError } from '../command-line/explain-error.ts'
import {
  type Check,
  type CheckContext,
  type Finding,
  type FindingId,
  NotChecked,
  subject,
} from './finding.ts'

const defaultLimitMs = 15_000
const limitsMs: Partial<Record<FindingId, number>> = {
  'database.answers': 60_000, // the integrity check reads the whole file
  'links.files': 40_000, // some requests of 5 s each, and the database
  'links.one-click': 40_000,
  'mail.connects': 30_000,
  'mail.test': 90_000,
}
const tryAgain = 'Run the doctor again. If this stays, it is a bug in the doctor: please report it.'

/** Never throws and never hangs: a check that fails or takes too long is unknown. */
export async function runCheck(
  id: FindingId,
  check: Check,
  context: CheckContext,
  limitMs = limitsMs[id] ?? defaultLimitMs,
): Promise<Finding[]> {
  const about = subject(id)
  const { promise: timeIsUp, resolve } = Promise.withResolvers<Finding>()
  const timer = setTimeout(() => {
    resolve(about.unknown(`This check had no result after ${limitMs / 1000} s.`, tryAgain))
  }, limitMs)
  try {
    return [await Promise.race([check(context, about), timeIsUp])].flat()
  } catch (error) {
    if (error instanceof NotChecked) return [about.unknown(error.message, error.advice)]
    const isExpected = error instanceof CommandError || isDatabaseFault(error)
    return [
      about.unknown(`This could not be checked. ${explainError(error)}`, isExpected ? undefined : tryAgain),
    ]
  } finally {
    clearTimeout(timer)
  }
}
