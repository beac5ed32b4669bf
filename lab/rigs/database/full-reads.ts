import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'

/** These grow with the list. */
const largeTables = [
  'subscribers',
  'deliveries',
  'daily_counts',
  'owner_job_pieces',
  'imported_people',
]

/** Names the reads of a query that grow with the list: large tables and indexes from end to end. */
export function fullReadsOf(database: Database, query: Sql): Promise<string[]> {
  return database.engine === 'sqlite'
    ? fullReadsOnSqlite(database, query)
    : fullReadsOnPostgres(database, query)
}

async function fullReadsOnSqlite(database: Database, query: Sql): Promise<string[]> {
  const plan = await database.rows<{ detail: string }>(sql`explain query plan ${query}`)
  // SQLite names a table by its alias: a single letter is one of those in our queries.
  const scan = new RegExp(`^SCAN (?:[sdcip]|${largeTables.join('|')})\\b`)
  return plan.map(({ detail }) => detail).filter((step) => scan.test(step))
}

/** A step of a plan, as PostgreSQL writes it. */
interface PlanStep {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: PlanStep[]
}

/** A small table is read whole because that is fastest, so this has to be forbidden first. */
async function fullReadsOnPostgres(database: Database, query: Sql): Promise<string[]> {
  const { plan, partial } = await database.transaction(async (transaction) => {
    await transaction.run(sql`set local enable_seqscan = off`)
    const row = await transaction.row<{ 'QUERY PLAN': [{ Plan: PlanStep }] }>(
      sql`explain (format json) ${query}`,
    )
    const indexes = await transaction.rows<{ name: string }>(
      sql`select indexrelid::regclass::text as name from pg_index where indpred is not null`,
    )
    return { plan: row!['QUERY PLAN'][0].Plan, partial: indexes.map(({ name }) => name) }
  })
  return fullSteps(plan, partial, false)
}

/** `partial`: indexes of a few rows, such as mail that waits. */
function fullSteps(step: PlanStep, partial: readonly string[], isLimited: boolean): string[] {
  const { 'Relation Name': table = '', 'Index Name': index = '', Plans = [] } = step
  const isLarge = largeTables.some((name) => table === name || index.startsWith(name))
  const isWhole = step['Index Cond'] === undefined && !partial.includes(index)
  const isScan = step['Node Type'].endsWith('Scan') && (table === '' || index !== '')
  const isSeqScan = step['Node Type'] === 'Seq Scan'
  const isFull = isLarge && (isSeqScan || (isScan && isWhole && !isLimited))
  const below = isLimited || step['Node Type'] === 'Limit'
  return [
    ...(isFull ? [`${step['Node Type']} ${index || table}`] : []),
    ...Plans.flatMap((one) => fullSteps(one, partial, below)),
  ]
}
