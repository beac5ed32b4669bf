/** How a day or a time of ISO 8601 is written. Other notations mix up day and month. */
export const momentForm =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:\d\d)?)?$/

/** As ms since 1970, in UTC unless it names a zone. Undefined: it has another form, or there is no such day or time. */
export function parseMoment(text: string): { ms: number; isDay: boolean } | undefined {
  const [, day, time, zone = 'Z'] = momentForm.exec(text) ?? []
  if (day === undefined || !isDay(day)) return undefined
  const ms = Date.parse(`${day}T${time ?? '00:00'}${zone.replace('UTC', 'Z')}`)
  return Number.isNaN(ms) ? undefined : { ms, isDay: time === undefined }
}

/** JavaScript reads 30 February as a day in March. */
function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
