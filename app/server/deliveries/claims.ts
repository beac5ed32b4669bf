import { type RawBuilder, sql } from 'kysely'
import { type Connection, isPostgres, jsonList } from '../database/database.ts'

/** An attempt that takes longer renews it. */
export const leaseMs = 45_000

interface Fault<Claim> {
  claim: Claim
  /** Never holds an address. */
  why: string
  /** The relay, or the receiver of webhooks, would not have taken another one either. */
  isAway: boolean
  /** It asks for no other attempt during this time. */
  retryAfterMs: number
}

/** `released`: it does not count as a try. */
type Failure<Claim> = Fault<Claim> & ({ kind: 'failed' | 'released' } | { kind: 'postponed'; dueAt: number })

/** How a claim ends. `released` without a reason: it was not tried. */
export type Outcome<Claim> =
  | { claim: Claim; kind: 'sent'; ms: number }
  | { claim: Claim; kind: 'cancelled' }
  | { claim: Claim; kind: 'released'; why?: undefined }
  | Failure<Claim>

/** The outcome of a failed attempt. `waitSeconds`: undefined after the last try of the schedule. */
export function postpone<Claim>(
  fault: Fault<Claim>,
  waitSeconds: number | undefined,
  now: number,
): Failure<Claim> {
  if (waitSeconds === undefined) return { ...fault, kind: 'failed' }
  return { ...fault, kind: 'postponed', dueAt: now + Math.max(waitSeconds * 1000, fault.retryAfterMs) }
}

export interface Lease {
  /** Names this process. */
  worker: string
  now: number
}

/**
 * A table of work that several processes share. A row waits until `due_at`, and one worker claims it with a lease. If that
 * worker dies, the row is due again when the lease ends.
 */
export class WorkTable {
  readonly #name: RawBuilder<unknown>
  readonly #claimed: RawBuilder<unknown>
  readonly #done: RawBuilder<unknown>

  /** `claimed`, `done`: the states of such rows. */
  constructor(name: 'deliveries' | 'webhook_events', { claimed, done }: { claimed: string; done: string }) {
    this.#name = sql.table(name)
    this.#claimed = sql.lit(claimed)
    this.#done = sql.lit(done)
  }

  /** Claims the rows whose `id` the statement `due` selects. */
  async claim<Row>(
    connection: Connection,
    due: RawBuilder<unknown>,
    columns: string,
    { worker, now }: Lease,
  ): Promise<Row[]> {
    const { rows } = await sql<Row>`
      with due as ${sql.raw(isPostgres(connection) ? 'materialized' : '')} (${due})
      update ${this.#name} set state = ${this.#claimed}, worker = ${worker}, due_at = ${now + leaseMs}
      where id in (select id from due)
      returning ${sql.raw(columns)}`.execute(connection)
    return rows
  }

  /** Extends the leases of rows whose outcome is not recorded yet. */
  renew(connection: Connection, ids: Iterable<number>, { worker, now }: Lease): Promise<void> {
    return this.#update(connection, [...ids], worker, sql`due_at = ${now + leaseMs}`)
  }

  /** Ends `worker`'s claims. A row that another worker has claimed since is left alone. */
  async record(
    connection: Connection,
    outcomes: readonly Outcome<{ id: number }>[],
    { worker, now }: Lease,
  ): Promise<void> {
    const sorted = outcomes.toSorted((a, b) => a.claim.id - b.claim.id)
    for (const group of Map.groupBy(sorted, (one) => ('why' in one ? one : one.kind)).values()) {
      const ids = group.map(({ claim }) => claim.id)
      await this.#update(connection, ids, worker, this.#columnsOf(group[0]!, now))
    }
  }

  #columnsOf(outcome: Outcome<unknown>, now: number): RawBuilder<unknown> {
    switch (outcome.kind) {
      case 'sent':
        return sql`state = ${this.#done}, finished_at = ${now}, last_fault = null`
      case 'cancelled':
        return sql`state = 'cancelled', finished_at = ${now}`
      case 'failed':
        return sql`state = 'failed', finished_at = ${now}, last_fault = ${outcome.why}`
      case 'released':
        return sql`state = 'queued', worker = null, due_at = ${now}, last_fault = coalesce(${outcome.why ?? null}, last_fault)`
      case 'postponed':
        return sql`state = 'queued', worker = null, due_at = ${outcome.dueAt}, last_fault = ${outcome.why},
          failures = failures + 1`
      default:
        return outcome satisfies never
    }
  }

  async #update(
    connection: Connection,
    ids: readonly number[],
    worker: string,
    columns: RawBuilder<unknown>,
  ): Promise<void> {
    const list = jsonList(connection, 'bigint', ids)
    // Locked in one order to avoid a deadlock between two statements over several rows.
    const locked = isPostgres(connection)
      ? sql`(select id from ${this.#name} where id in ${list} order by id for update)`
      : list
    await sql`
      update ${this.#name} set ${columns}
      where id in ${locked} and worker = ${worker} and state = ${this.#claimed}`.execute(connection)
  }
}
