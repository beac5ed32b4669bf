import { z } from 'zod'
import { parseEmailAddress } from '#contract/email-address.ts'
import { deliveriesOf } from '../../deliveries/list-deliveries.ts'
import {
  type ChangeOutcome,
  correctAddress,
  erasePerson,
  hasMailOnItsWay,
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
import { readActs } from '../access/audit.ts'
import type { Call } from '../call.ts'
import { byId, id, owner, proved, recorded, Refused, router, text } from '../procedures.ts'
import { describeMails } from './mail.ts'

/** `from`: the first day of sign-up. `campaign`: `none` stands for those without one. */
export const peoplePicks = z.object({
  who: z.enum(['everyone', 'wants-news', ...subscriberStates]),
  from: z.iso.date().optional(),
  campaign: text.optional(),
})

export function filterOf({ who, from, campaign }: z.infer<typeof peoplePicks>): SubscriberFilter {
  const isConsented = who === 'wants-news'
  const state = isConsented ? 'active' : who === 'everyone' ? undefined : who
  return { state, isConsented, campaign, since: from === undefined ? undefined : Date.parse(from) }
}

export const peopleRouter = router({
  /** 50 a page, the newest first. */
  search: owner
    .input(peoplePicks.extend({ text: text.optional(), page: z.int().min(0) }))
    .query(async ({ ctx: { database }, input: { page, ...picks } }) => {
      const filter = { ...filterOf(picks), text: picks.text }
      const [found, all] = await Promise.all([findPeople(database, filter, page), countOnTheList(database)])
      return { ...found, ...all }
    }),
  show: owner.input(byId).query(({ ctx, input }) => describePerson(ctx, input.id)),
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

async function describePerson(call: Call, person: number) {
  const { database } = call
  const row = await readPerson(database, person)
  if (!row) throw new Refused(refusals.gone, 'NOT_FOUND')
  const isMailed = await hasMailOnItsWay(database, person)
  return {
    ...row,
    /** What the owner did here, the newest first. */
    acts: await readActs(database, person),
    /** The newest first. */
    mails: await describeMails(database, (await deliveriesOf(database, person)).toReversed()),
    canSendAgain: row.state === 'active' && !isMailed,
    canCorrect: !isMailed,
  }
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
