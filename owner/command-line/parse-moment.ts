/** `impossible`: it is written well, and there is no such day or time. */
export type Moment =
  { kind: 'day' | 'time'; ms: number } | { kind: 'impossible' } | { kind: 'another-format' }

const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:\d\d)?)?$/

/** Parses a day or a time of ISO 8601, in UTC unless it names a zone. Other notations mix up day and month. */
export function parseMoment(text: string): Moment {
  const [, day, time, zone = 'Z'] = form.exec(text.trim()) ?? []
  if (day === undefined) return { kind: 'another-format' }
  const ms = Date.parse(`${day}T${time ?? '00:00'}${zone.replace('UTC', 'Z')}`)
  if (Number.isNaN(ms) || !isDay(day)) return { kind: 'impossible' }
  return { kind: time === undefined ? 'day' : 'time', ms }
}

/** JavaScript reads 30 February as a day in March. */
function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
