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
} from '../../subscribers/list-subscribers.ts'
import { readActsAbout } from '../access/audit.ts'
import type { Call } from '../call.ts'
import { byId, id, owner, proved, recorded, Refused, router, text } from '../procedures.ts'
import { describeMails } from './mail.ts'

const groups = {
  everyone: {},
  active: { state: 'active' },
  'wants-news': { state: 'active', isConsented: true },
  left: { state: 'unsubscribed' },
  undeliverable: { state: 'undeliverable' },
  blocked: { state: 'blocked' },
} as const satisfies Record<string, SubscriberFilter>

/** `from`: the first day of sign-up. `campaign`: `none` stands for those without one. */
export const peoplePicks = z.object({
  who: z.enum(Object.keys(groups) as [keyof typeof groups]), // its keys
  from: z.iso.date().optional(),
  campaign: text.optional(),
})

export function filterOf({ who, from, campaign }: z.infer<typeof peoplePicks>): SubscriberFilter {
  return { ...groups[who], campaign, since: from === undefined ? undefined : Date.parse(from) }
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
  sendAgain: owner
    .input(byId)
    .use(recorded('Sent the mail again to person'))
    .mutation(({ ctx, input }) => answerChange(ctx, sendAgain(ctx, input.id))),
  correct: owner
    .input(z.object({ id, address: text }))
    .use(recorded('Corrected the address of person'))
    .mutation(({ ctx, input }) => {
      const to = parseEmailAddress(input.address)
      if (!to) throw new Refused('That is not an email address.')
      return answerChange(ctx, correctAddress(ctx, input.id, to))
    }),
  unsubscribe: owner
    .input(byId)
    .use(recorded('Unsubscribed person'))
    .mutation(({ ctx, input }) => answerChange(ctx, unsubscribePerson(ctx, input.id))),
  erase: proved
    .input(byId)
    .use(recorded('Erased person'))
    .mutation(({ ctx, input }) => answerChange(ctx, erasePerson(ctx, input.id))),
})

async function describePerson(call: Call, person: number) {
  const { database } = call
  const row = await readPerson(database, person)
  if (!row) throw new Refused('This person was erased.', { code: 'NOT_FOUND' })
  const acts = await readActsAbout(database, person)
  const isMailed = await hasMailOnItsWay(database, person)
  return {
    ...row,
    /** What the owner did here, the newest first. */
    acts,
    /** The newest first. */
    mails: await describeMails(database, (await deliveriesOf(database, person)).toReversed()),
    canSendAgain: row.state === 'active' && !isMailed,
    canCorrect: !isMailed,
  }
}

async function answerChange(call: Call, changing: Promise<ChangeOutcome>): Promise<void> {
  const outcome = await changing
  switch (outcome) {
    case 'done':
      return call.wakeDeliveries()
    case 'gone':
      throw new Refused('This person was erased.', { code: 'NOT_FOUND' })
    case 'impossible':
      throw new Refused('This cannot be done as things stand now.')
    case 'taken':
      throw new Refused('That address is on the list already.')
    case 'blocked':
      throw new Refused('The holder of that inbox blocked our mail.')
    default:
      return outcome satisfies never
  }
}
