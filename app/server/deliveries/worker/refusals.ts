import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import { dayMs } from '../../database/clock.ts'
import type { Transaction } from '../../database/database.ts'
import { addDailyCounts, type CountedEvent, dayOf } from '../../statistics/daily-counts.ts'
import { registrableDomain } from '../../subscribers/abuse-key.ts'
import { type ClaimedMail, type MailOutcome, mailingPriority } from '../deliveries.ts'
import type { MailingRules } from '../mailing-rules.ts'
import { noteSameRefusals, readRelay } from '../mail-state.ts'

const hourMs = 60 * 60_000
const manyDomains = 3
/** More equal refusals of an hour are not read. */
const maxRefusals = 1_000
/** RFC 5321 4.5.4.1 asks for 4 to 5 days at least. */
const giveUpMs = 5 * dayMs

export interface Judged {
  outcome: MailOutcome
  /** Subscribers who are on the list again. */
  back: number[]
}

interface JudgeDeps {
  now: number
  rules: MailingRules
  /** When a mail is due that is held up now. Asked for each. */
  dueAfterHoldUp: (mail: Pick<ClaimedMail, 'queued_at'>) => number
}

/**
 * What one answer does not tell. The same words about three people of different domains within an
 * hour are about us, whatever the code: who came off the list by them is on it again, and their
 * mail waits. A mail that is refused for days for other reasons, while other mail is taken, has
 * failed: it would keep its letter from ending. Its person stays on the list.
 */
export async function judge(
  transaction: Transaction,
  mail: ClaimedMail,
  outcome: MailOutcome,
  deps: JudgeDeps,
): Promise<Judged> {
  if ('words' in outcome && outcome.words !== undefined) {
    const refused = await keepRefusal(transaction, mail, outcome.words, deps.now)
    if (!isOfManyDomains(refused)) return { outcome, back: [] }
    const { why } = outcome
    await noteSameRefusals(transaction, why, deps.now)
    const back = await takeBack(transaction, refused, deps)
    return { outcome: { kind: 'held-up', why, dueAt: deps.dueAfterHoldUp(mail) }, back }
  }
  if (outcome.kind !== 'held-up' || !outcome.mayBeTheMail) return { outcome, back: [] }
  const { why } = outcome
  const isOver = await isGivenUp(transaction, mail, deps.now)
  return { outcome: isOver ? { kind: 'failed', why, isRefused: false } : outcome, back: [] }
}

interface Refused {
  id: number
  subscriber: number
  identity: string
  state: string
  priority: number
  mailing: number | null
  queued_at: number
  refused_at: number
}

/** Returns the mails about whose recipients the same was said within the hour, with this one. */
async function keepRefusal(
  transaction: Transaction,
  { id }: ClaimedMail,
  words: string,
  now: number,
): Promise<Refused[]> {
  const refusal = hash('sha256', words, 'base64url').slice(0, 22)
  await transaction.lock('refusals')
  await transaction.run(
    sql`update deliveries set refusal = ${refusal}, refused_at = ${now} where id = ${id}`,
  )
  return transaction.rows<Refused>(sql`
    select d.id, d.subscriber, s.identity, d.state, d.priority, d.mailing, d.queued_at, d.refused_at
    from deliveries d join subscribers s on s.id = d.subscriber
    where d.refusal = ${refusal}
      and d.refused_at > ${now - hourMs}
    order by d.refused_at desc limit ${maxRefusals}`)
}

function isOfManyDomains(refused: readonly Refused[]): boolean {
  const domains = new Set(refused.map(({ identity }) => registrableDomain(identity)))
  return domains.size >= manyDomains
}

/** Returns the subscribers that are on the list again. */
async function takeBack(
  transaction: Transaction,
  refused: readonly Refused[],
  { now, rules, dueAfterHoldUp }: JudgeDeps,
): Promise<number[]> {
  const back: number[] = []
  for (const mail of refused) {
    const { id, subscriber, state, priority, mailing, refused_at: at } = mail
    await transaction.run(sql`update deliveries set failures = 0 where id = ${id}`)
    if (state !== 'failed') continue
    const isBack = await putBack(transaction, subscriber, { at, now })
    if (isBack) back.push(subscriber)
    // A later sign-up has a mail of its own.
    const isQueued = await transaction.run(sql`
      update deliveries as d set state = 'queued', finished_at = null, worker = null,
        due_at = ${dueAfterHoldUp(mail)}
      where id = ${id} and not exists (
        select 1 from deliveries newer where newer.subscriber = d.subscriber and newer.id > d.id
          and newer.mailing is null and d.mailing is null)`)
    if (isQueued > 0 && mailing !== null) await rules.recordEnd(transaction, mailing, 'waits-again')
    // Mailings are not in the counts of a day.
    if (isQueued > 0 && priority !== mailingPriority) {
      await uncount(transaction, 'failed', isBack ? 'refused' : 'gave-up', at)
    }
  }
  return back
}

/** With the mail that their leaving cancelled. `at`: when they came off the list. */
async function putBack(
  transaction: Transaction,
  subscriber: number,
  { at, now }: { at: number; now: number },
): Promise<boolean> {
  const changed = await transaction.run(sql`
    update subscribers set state = 'active', left_at = null
    where id = ${subscriber} and state = 'undeliverable' and left_at = ${at}`)
  if (changed === 0) return false
  await transaction.run(sql`
    update deliveries
    set state = 'queued', finished_at = null, due_at = ${now}
    where subscriber = ${subscriber} and state = 'cancelled' and finished_at = ${at}`)
  await uncount(transaction, 'bounced', '', at)
  return true
}

function uncount(
  transaction: Transaction,
  event: CountedEvent,
  detail: string,
  at: number,
): Promise<void> {
  return addDailyCounts(transaction, [{ day: dayOf(at), event, detail, count: -1 }])
}

/** Keeps since when it is refused although the relay takes other mail. */
async function isGivenUp(
  transaction: Transaction,
  { id, refused_since: since }: ClaimedMail,
  now: number,
): Promise<boolean> {
  const { lastHandOverAt = 0, relayAway } = await readRelay(transaction, now)
  if (since !== null && lastHandOverAt > since) return !relayAway && now - since >= giveUpMs
  await transaction.run(sql`update deliveries set refused_since = ${now} where id = ${id}`)
  return false
}
