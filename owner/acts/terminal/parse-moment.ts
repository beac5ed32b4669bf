/** How a day or a time of ISO 8601 is written. Other notations mix up day and month. */
export const momentForm =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/

/**
 * As ms since 1970, in UTC unless it names a zone. Undefined: it has another form, or there is no
 * such day or time.
 */
export function parseMoment(text: string): { ms: number; isDay: boolean } | undefined {
  const [, day, time, zone = 'Z'] = momentForm.exec(text) ?? []
  // JavaScript reads 30 February as a day in March, and a month 13 as null.
  const read: string | null = new Date(day ?? '').toJSON()
  if (day === undefined || !read?.startsWith(day)) return undefined
  const ms = Date.parse(`${day}T${time ?? '00:00'}${zoneOf(zone)}`)
  return Number.isNaN(ms) ? undefined : { ms, isDay: time === undefined }
}

/** As JavaScript reads it: `+0000` has no colon in the tables of some tools. */
function zoneOf(zone: string): string {
  return zone.replace(/UTC|GMT/, 'Z').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
}
