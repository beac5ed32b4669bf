const dayMs = 24 * 60 * 60_000

/** An entry of a calendar that lasts a whole day. */
export interface CalendarDay {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly title: string
  readonly text: string
  /** Names the entry: a calendar that imports it again changes it. */
  readonly id: string
}

/** The day before, as `YYYY-MM-DD`. Undefined: `day` is none. */
export function dayBefore(day: string): string | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : NaN
  return Number.isNaN(at) ? undefined : new Date(at - dayMs).toISOString().slice(0, 10)
}

/**
 * A calendar file (RFC 5545) with one entry, and an alarm at nine in the morning. `now`: ms since
 * 1970.
 */
export function calendarFile({ day, title, text, id }: CalendarDay, now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Starter Bot//Alert//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`,
    `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(text)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(title)}`,
    'TRIGGER:PT9H',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n')
}

/** A line has 75 octets at most (RFC 5545 3.1), and no character is cut. */
function folded(line: string): string {
  const parts = ['']
  let octets = 0
  for (const character of line) {
    const length = new TextEncoder().encode(character).length
    if (octets + length > 75) {
      parts.push('')
      octets = 1 // the space that begins the next line
    }
    parts[parts.length - 1] += character
    octets += length
  }
  return parts.join('\r\n ')
}
