import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import type { Mailing } from '../mailings.ts'

const sampleSize = 1_000
/** Above this share a mailing pauses. */
const returnedLimit = 0.02
/** One bad address among the first few pauses nothing. */
const minSample = 50
/** 0.1 % of a whole sample, and of a smaller one too: one subscriber alone pauses nothing. */
const maxComplaints = 1

/** The last mails since the mailing started or was resumed. */
export interface Sample {
  mails: number
  /** Failed, or came back later. */
  returned: number
  /** Reported as spam, or "I did not ask for this". */
  complaints: number
}

export async function readSample(
  reader: Reader,
  { id, resumedAt }: Pick<Mailing, 'id' | 'resumedAt'>,
): Promise<Sample> {
  const newest = (state: 'sent' | 'failed') => sql`
    select * from (
      select subscriber, state, finished_at from deliveries
      where mailing = ${id} and state = ${state} and finished_at >= ${resumedAt ?? 0}
      order by finished_at desc limit ${sampleSize}
    ) as newest`
  const sample = await reader.row<Sample>(sql`
    select
      count(*) as mails,
      count(case when d.state = 'failed' or s.state = 'undeliverable' then 1 end) as returned,
      count(case when s.state = 'blocked' then 1 end) as complaints
    from (
      select * from (${newest('sent')} union all ${newest('failed')}) as finished
      order by finished_at desc limit ${sampleSize}
    ) as d
    join subscribers s on s.id = d.subscriber`)
  return sample!
}

/** Returns undefined if the mailing may go on. */
export function pauseReason({ mails, returned, complaints }: Sample): string | undefined {
  if (returned > returnedLimit * Math.max(mails, minSample)) {
    return `${returned} of the last ${mails} failed or came back`
  }
  if (complaints > maxComplaints) {
    return `${complaints} of the last ${mails} were reported as spam`
  }
  return undefined
}
