import sql from 'sql-template-tag'
import { type ClockRepair, clockToleranceMs, dayMs } from '#server/database/clock.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Repairs of times that would hold up a letter, the series, or a day between two letters. */
export const mailingClockRepairs: ClockRepair[] = [
  (now) => {
    const letterWaits = sql`(state = 'scheduled' and send_at is null
      and starts_at > ${now + minuteMs + clockToleranceMs})`
    const newest = sql`(${now} - after_days * ${dayMs})`
    const seriesWaits = sql`(after_days is not null and cursor_at - ${clockToleranceMs} > ${newest})`
    return sql`
      update mailings set
        starts_at = case when ${letterWaits} then ${now} else starts_at end,
        cursor_at = case when ${seriesWaits} then ${newest} else cursor_at end
      where ${letterWaits} or ${seriesWaits}`
  },
  (now) =>
    sql`delete from mailing_hours where hour > ${Math.floor((now + clockToleranceMs) / hourMs)}`,
  // The series begins half a day after the consent at the latest.
  (now) => sql`
    update subscribers set series_from = ${now}
    where series_from > ${now + dayMs / 2 + clockToleranceMs}`,
  (now) => sql`
    update deliveries set finished_at = ${now}
    where mailing in (select id from mailings) and state = 'sent'
      and finished_at > ${now + clockToleranceMs}`,
]
