import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'

const shown = 100

/** True for a subscriber who came by one of these. `none`: without one. */
export function cameBy(campaigns: readonly string[], alias = 'subscribers'): Sql {
  return sql`coalesce(${raw(alias)}.campaign, 'none') in (${join(campaigns)})`
}

/** The campaigns and imports that brought most people, by the counts of the days. */
export async function listCampaigns(reader: Reader): Promise<string[]> {
  const rows = await reader.rows<{ name: string }>(sql`
    select detail as name from daily_counts where event in ('came-from', 'imported-from')
    group by detail order by sum(count) desc, detail limit ${shown}`)
  return rows.map(({ name }) => name)
}
