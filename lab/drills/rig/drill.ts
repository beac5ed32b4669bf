/** short: seconds, no figure that depends on the speed of the machine. long: what `npm run drill` does. */
export type Form = 'short' | 'long'

export interface Counts {
  /** Sign-ups answered with 200 and alreadyExists false. */
  acknowledged: number
  /** Subscribers in the database. */
  rows: number
  /** Mails the mailbox kept, duplicates included. */
  mails: number
  duplicates: number
  /** Acknowledged without a row, or a row whose mail never came. */
  lost: number
}

export interface Outcome {
  counts: Counts
  /** The broken promises, in words. Empty: the drill passed. */
  broken: string[]
  /** Further figures. */
  notes: string[]
}

export type Drill = (form: Form) => Promise<Outcome | { skipped: string }>

export function addOutcomes(outcomes: readonly Outcome[]): Outcome {
  return {
    counts: addCounts(outcomes.map(({ counts }) => counts)),
    broken: outcomes.flatMap(({ broken }) => broken),
    notes: outcomes.flatMap(({ notes }) => notes),
  }
}

function addCounts(all: readonly Counts[]): Counts {
  const sum: Counts = { acknowledged: 0, rows: 0, mails: 0, duplicates: 0, lost: 0 }
  for (const one of all) {
    sum.acknowledged += one.acknowledged
    sum.rows += one.rows
    sum.mails += one.mails
    sum.duplicates += one.duplicates
    sum.lost += one.lost
  }
  return sum
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
