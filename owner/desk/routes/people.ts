import { Readable } from 'node:stream'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { dayOf } from '#server/statistics/daily-counts.ts'
import { deliveriesOf } from '../../deliveries/list-deliveries.ts'
import {
  correctAddress,
  erasePerson,
  gone,
  sendAgain,
  unsubscribePerson,
} from '../../subscribers/change-subscriber.ts'
import { exportSubscribers, toolNames } from '../../subscribers/export-subscribers.ts'
import {
  countOnTheList,
  findPeople,
  readPerson,
  subscriberStates,
} from '../../subscribers/list-subscribers.ts'
import { daysEnding } from '../../stats/summary.ts'
import { readActs, recordAct } from '../access/audit.ts'
import type { Asked, Call } from '../call.ts'
import { act, byId, id, owner, proved, router, text } from '../procedures.ts'

/**
 * Empty: any. `days`: the last ones, in which they signed up. `campaign`: `none` stands for those
 * without one.
 */
const peoplePicks = z.object({
  text,
  who: z.enum(['everyone', 'wants-news', ...subscriberStates]),
  days: z.enum(['', '7', '28', '90', '365']),
  campaign: text,
})

function filterOf({ text: part, who, days, campaign }: z.infer<typeof peoplePicks>, now: number) {
  const isConsented = who === 'wants-news'
  const state = isConsented ? 'active' : who === 'everyone' ? undefined : who
  const since = days === '' ? undefined : Date.parse(daysEnding(dayOf(now), Number(days)).from)
  return { state, isConsented, campaign: campaign || undefined, since, text: part }
}

export const peopleRouter = router({
  /** 50 a page, the newest first. */
  search: owner
    .input(peoplePicks.extend({ page: z.int().min(0) }))
    .query(async ({ ctx: { database, now }, input: { page, ...picks } }) => {
      const found = await findPeople(database, filterOf(picks, now()), page)
      return { ...found, ...(await countOnTheList(database)) }
    }),
  /** `acts`: what the owner did here. */
  show: owner.input(byId).query(async ({ ctx: { database }, input: { id: person } }) => {
    const row = await readPerson(database, person)
    if (!row) throw new TRPCError({ code: 'NOT_FOUND', message: gone })
    return {
      ...row,
      acts: await readActs(database, person),
      mails: await deliveriesOf(database, person),
    }
  }),
  sendAgain: act('Sent the mail again to person').input(byId).mutation(changing(sendAgain)),
  correct: act('Corrected the address of person')
    .input(z.object({ id, address: text }))
    .mutation(({ ctx, input }) => correctAddress(ctx, input.id, input.address)),
  unsubscribe: act('Unsubscribed person').input(byId).mutation(changing(unsubscribePerson)),
  erase: act('Erased person', proved).input(byId).mutation(changing(erasePerson)),
})

function changing(change: (context: Call, person: number) => Promise<void>) {
  return ({ ctx, input }: Asked<{ id: number }>) => change(ctx, input.id)
}

export const exportWish = peoplePicks.extend({
  tool: z.enum(['csv', ...toolNames]),
  consentedOnly: z.boolean(),
})

/**
 * Sends a CSV file as fast as the browser reads it. If the database fails in the middle, the
 * download fails.
 */
export async function sendExport(wish: z.infer<typeof exportWish>, { database, now, reply }: Call) {
  await recordAct(database, now(), 'Exported people')
  // The chosen group counts: an export of those who left names nobody on the list.
  const isListWanted = wish.who === 'everyone' || wish.who === 'active'
  const filter = filterOf(
    wish.consentedOnly && isListWanted ? { ...wish, who: 'wants-news' } : wish,
    now(),
  )
  const name = `people-${wish.tool}-${new Date(now()).toISOString().slice(0, 10)}.csv`
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(
      Readable.from(exportSubscribers(database, filter, wish.tool)).map(({ text: piece }) => piece),
    )
}
