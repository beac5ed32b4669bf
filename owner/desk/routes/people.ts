import { z } from 'zod'
import { parseEmailAddress } from '#contract/email-address.ts'
import { dayOf } from '#server/statistics/daily-counts.ts'
import { deliveriesOf } from '../../deliveries/list-deliveries.ts'
import {
  type ChangeOutcome,
  correctAddress,
  erasePerson,
  sendAgain,
  unsubscribePerson,
} from '../../subscribers/change-subscriber.ts'
import {
  countOnTheList,
  findPeople,
  readPerson,
  type SubscriberFilter,
  subscriberStates,
} from '../../subscribers/list-subscribers.ts'
import { daysEnding } from '../../stats/summary.ts'
import { readActs } from '../access/audit.ts'
import type { Call } from '../call.ts'
import { byId, id, owner, proved, recorded, Refused, router, text } from '../procedures.ts'

/** Empty: any. `days`: the last ones, in which they signed up. `campaign`: `none` stands for those without one. */
export const peoplePicks = z.object({
  who: z.enum(['everyone', 'wants-news', ...subscriberStates]),
  days: z.enum(['', '7', '28', '90', '365']),
  campaign: text,
})

export function filterOf(picks: z.infer<typeof peoplePicks>, now: number): SubscriberFilter {
  const { who, days, campaign } = picks
  const isConsented = who === 'wants-news'
  const state = isConsented ? 'active' : who === 'everyone' ? undefined : who
  const since = days === '' ? undefined : Date.parse(daysEnding(dayOf(now), Number(days)).from)
  return { state, isConsented, campaign: campaign || undefined, since }
}

export const peopleRouter = router({
  /** 50 a page, the newest first. */
  search: owner
    .input(peoplePicks.extend({ text, page: z.int().min(0) }))
    .query(async ({ ctx: { database, now }, input: { text: part, page, ...picks } }) => {
      const filter = { ...filterOf(picks, now()), text: part }
      const [found, all] = await Promise.all([findPeople(database, filter, page), countOnTheList(database)])
      return { ...found, ...all }
    }),
  /** `acts`: what the owner did here. */
  show: owner.input(byId).query(async ({ ctx: { database }, input: { id: person } }) => {
    const row = await readPerson(database, person)
    if (!row) throw new Refused(refusals.gone, 'NOT_FOUND')
    return { ...row, acts: await readActs(database, person), mails: await deliveriesOf(database, person) }
  }),
  sendAgain: changing('Sent the mail again to person', sendAgain),
  correct: owner
    .input(z.object({ id, address: text }))
    .use(recorded('Corrected the address of person'))
    .mutation(({ ctx, input }) => {
      const to = parseEmailAddress(input.address)
      if (!to) throw new Refused('That is not an email address.')
      return answerChange(ctx, correctAddress(ctx, input.id, to))
    }),
  unsubscribe: changing('Unsubscribed person', unsubscribePerson),
  erase: changing('Erased person', erasePerson, proved),
})

/** `act`: for the audit. */
function changing(
  act: string,
  change: (context: Call, person: number) => Promise<ChangeOutcome>,
  whoMay: typeof owner = owner,
) {
  return whoMay
    .input(byId)
    .use(recorded(act))
    .mutation(({ ctx, input }) => answerChange(ctx, change(ctx, input.id)))
}

const refusals: Record<Exclude<ChangeOutcome, 'done'>, string> = {
  gone: 'This person was erased.',
  impossible: 'This cannot be done as things stand now.',
  taken: 'That address is on the list already.',
  blocked: 'The holder of that inbox blocked our mail.',
}

async function answerChange(call: Call, changed: Promise<ChangeOutcome>): Promise<void> {
  const outcome = await changed
  if (outcome !== 'done') throw new Refused(refusals[outcome])
  call.wakeDeliveries()
}
