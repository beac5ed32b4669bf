import { counted, countText } from '../output.ts'
import type { Job } from './jobs.ts'

/** Names a job, for the desk and the command line. */
export function titleOf({ kind, about, total }: Pick<Job, 'kind' | 'about' | 'total'>): string {
  switch (kind) {
    case 'import':
      return `Import of ${counted(total, 'person', 'people')}${about && `: ${about}`}`
    case 'undo-import':
      return `Undoing an import of ${counted(total, 'person', 'people')}`
    case 'retry':
      return `Trying ${counted(total, 'mail')} again`
    case 'suppress':
      return `Taking ${counted(total, 'address', 'addresses')} off the list`
    default:
      return kind satisfies never
  }
}

/** Says what has come of a job so far, and why it stopped. */
export function outcomeOf({
  stoppedWhy,
  ...job
}: Pick<Job, 'kind' | 'counts' | 'stoppedWhy'>): string {
  return stoppedWhy === null ? countsOf(job) : `${stoppedWhy} ${countsOf(job)}`
}

function countsOf({ kind, counts }: Pick<Job, 'kind' | 'counts'>): string {
  switch (kind) {
    case 'import':
      return importOutcome(counts)
    case 'undo-import':
      return undoOutcome(counts)
    case 'retry':
      return describeRetry({ queued: counts['queued'] ?? 0, held: counts['held'] ?? 0 })
    case 'suppress':
      return suppressOutcome(counts)
    default:
      return kind satisfies never
  }
}

/** Tells who was taken off the list, or would be. */
export function suppressOutcome(counts: Job['counts'], isDryRun = false): string {
  const { returned = 0, unsubscribed = 0, complaint = 0 } = counts
  const taken = isDryRun ? 'Would be taken off' : 'Taken off'
  return (
    `${taken} the list: ${countText(returned)} undeliverable, ` +
    `${countText(unsubscribed)} unsubscribed, ${countText(complaint)} blocked.`
  )
}

export interface RetryOutcome {
  /** Mails that are due now. */
  queued: number
  /** Mails of a letter that is paused: they go out once it goes on. */
  held: number
}

/** Tells what a retry has done. */
export function describeRetry({ queued, held }: RetryOutcome): string {
  const sentences = []
  if (queued > 0 || held === 0) {
    sentences.push(`${counted(queued, 'mail')} ${queued === 1 ? 'goes' : 'go'} out again.`)
  }
  if (held > 0) {
    sentences.push(
      `${counted(held, 'mail')} ${held === 1 ? 'waits' : 'wait'}: the letter is paused.`,
    )
  }
  return sentences.join(' ')
}

/** Tells whom the undoing of an import removed. */
function undoOutcome({ erased = 0, kept = 0 }: Job['counts']): string {
  const removed = `${countText(erased)} removed`
  if (kept === 0) return `${removed}.`
  return `${removed}, ${countText(kept)} kept: they signed up since, or got a mail.`
}

/** Tells what an import has done, or would do. */
export function importOutcome(counts: Job['counts'], isDryRun = false): string {
  const { added = 0, known = 0, duplicates = 0, refused = 0 } = counts
  const addedWord = isDryRun ? 'would be added' : 'added'
  const parts = [`${countText(added)} ${addedWord}`, `${countText(known)} on the list before`]
  if (duplicates > 0) parts.push(`${countText(duplicates)} twice in the file`)
  parts.push(`${countText(refused)} refused`)
  return `${parts.join(', ')}.`
}
