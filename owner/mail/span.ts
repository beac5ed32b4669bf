const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** "42 minutes"; "42 min" if short. */
export function formatSpan(ms: number, unitDisplay: 'long' | 'short' = 'long'): string {
  if (ms >= 2 * dayMs) return formatUnit(ms / dayMs, 'day', unitDisplay)
  if (ms >= 2 * hourMs) return formatUnit(ms / hourMs, 'hour', unitDisplay)
  return formatUnit(ms / minuteMs, 'minute', unitDisplay)
}

function formatUnit(value: number, unit: string, unitDisplay: 'long' | 'short'): string {
  const whole = Math.max(1, Math.round(value))
  return new Intl.NumberFormat('en-GB', { style: 'unit', unit, unitDisplay }).format(whole)
}
