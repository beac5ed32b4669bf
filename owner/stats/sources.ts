import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'

/** What became of the people who came from one campaign. */
export interface SourceFigures {
  /** The campaign; `none`: the page's address named none; `other`: of too many. */
  source: string
  views: number
  signUps: number
  /** Personal pages opened. */
  opened: number
  /** Scripts copied or downloaded. */
  taken: number
}

/** From the first to the last day, both included, UTC. The sources with the most sign-ups first. */
export function readSources(reader: Reader, fromDay: string, toDay = '9999-12-31'): Promise<SourceFigures[]> {
  const total = (event: string) => sql`cast(sum(case when event = ${event} then count else 0 end) as bigint)`
  return reader.rows<SourceFigures>(sql`
    select detail as "source", ${total('viewed-from')} as "views", ${total('came-from')} as "signUps",
      ${total('opened-from')} as "opened", ${total('taken-from')} as "taken"
    from daily_counts
    where day between ${fromDay} and ${toDay} and event in ('viewed-from', 'came-from', 'opened-from', 'taken-from')
    group by detail order by 3 desc, 2 desc, 1`)
}
