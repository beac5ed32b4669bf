import { dayMs } from '#server/database/clock.ts'
import type { ThreeWeeks } from './three-weeks.ts'

const end = Date.UTC(2026, 0, 5 + 21)
/** A letter may give way this long: more than three days late it is left out. */
const latestMs = 3 * dayMs

/** The faults of the three weeks, in words. `everyMs`: between two looks of the server. */
export function faultsIn(weeks: ThreeWeeks, everyMs: number): string[] {
  return [
    ...twice(weeks),
    ...tooSoon(weeks),
    ...missing(weeks, everyMs),
    ...unwanted(weeks, everyMs),
  ]
}

/** A worker that died may have handed its mail over: such a copy has the same Message-ID. */
function twice({ mails }: ThreeWeeks): string[] {
  const ids = new Map<string, string>()
  return mails.flatMap(({ address, subject, messageId }) => {
    const key = `${address}: ${subject}`
    const known = ids.get(key)
    ids.set(key, messageId)
    return known !== undefined && known !== messageId ? [`twice, ${key}`] : []
  })
}

/**
 * An attempt that was interrupted is not known to have been one: its mail goes again, and in
 * between it may give way to another letter.
 */
function tooSoon({ mails }: ThreeWeeks): string[] {
  const last = new Map(mails.map((mail) => [mail.messageId, mail]))
  const byPerson = Map.groupBy(mails, ({ address }) => address)
  return [...byPerson].flatMap(([address, ofPerson]) =>
    ofPerson.flatMap((mail, index) => {
      const before = ofPerson[index - 1]
      const isSoon = before && before.subject !== mail.subject && mail.at - before.at < dayMs
      const isKnown = before && last.get(before.messageId) === before
      return isSoon && isKnown
        ? [`within a day, ${address}: ${before.subject}, ${mail.subject}`]
        : []
    }),
  )
}

/** Whoever agrees until a letter has given way for the last time gets it. */
function missing({ mails, consents, letters }: ThreeWeeks, everyMs: number): string[] {
  const got = new Set(mails.map(({ address, subject }) => `${address}: ${subject}`))
  return consents.flatMap(({ address, from, since, end: until }) =>
    [...letters].flatMap(([subject, afterDays]) => {
      const dueAt = from + afterDays * dayMs
      const lasts = Math.min(until, end) > dueAt + latestMs + everyMs
      const key = `${address}: ${subject}`
      return dueAt > since && lasts && !got.has(key) ? [`missing, ${key}`] : []
    }),
  )
}

function unwanted({ mails, consents, letters }: ThreeWeeks, everyMs: number): string[] {
  return mails.flatMap(({ address, subject, at }) => {
    const afterDays = letters.get(subject)
    if (afterDays === undefined) return []
    const isWanted = consents.some((one) => {
      const dueAt = one.from + afterDays * dayMs
      const isInTime = at >= dueAt && at <= dueAt + latestMs + everyMs
      const isAhead = dueAt > one.since - everyMs
      return one.address === address && at <= one.end && isInTime && isAhead
    })
    return isWanted ? [] : [`unwanted, ${address}: ${subject}`]
  })
}
