import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { deliveriesOf } from '#owner/mail/list-deliveries.ts'
import {
  correctAddress,
  erasePerson,
  gone,
  putBackPerson,
  sendAgain,
  unsubscribePerson,
} from './change-subscriber.ts'
import { countFound, countOnTheList, findPeople, readPerson } from './list-subscribers.ts'
import { listCampaigns } from './campaigns.ts'
import { countExported } from './export/export-subscribers.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { exportOrderOf, exportWish } from './export/export-file.ts'
import { canPutBack } from './taken-off.ts'
import { filterOf, peoplePicks } from './people-picks.ts'
import { byId, id, text } from '#owner/acts/inputs.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'

export const peopleRouter = router({
  /** A page of 50, the newest sign-ups first, or those after a place in the list. */
  search: ownerProcedure
    .input(peoplePicks.extend({ after: z.object({ at: z.int(), id }).nullable() }))
    .query(({ ctx: { server }, input: { after, ...picks } }) =>
      findPeople(server.database.ownerReads, filterOf(picks, server.now()), after),
    ),
  /** How many people match, up to 10,001: that stands for any larger number. */
  countFound: ownerProcedure
    .input(peoplePicks)
    .query(({ ctx: { server }, input: picks }) =>
      countFound(server.database.ownerReads, filterOf(picks, server.now())),
    ),
  /** How many people are in each state, and the campaigns that can be chosen. */
  onTheList: ownerProcedure.query(async ({ ctx: { server } }) => {
    const reads = server.database.ownerReads
    return { counts: await countOnTheList(reads), campaigns: await listCampaigns(reads) }
  }),
  /** How many people an export has. */
  countExported: ownerProcedure
    .input(exportWish)
    .query(({ ctx: { server }, input }) =>
      countExported(server.database.ownerReads, exportOrderOf(input, server.now())),
    ),
  /** `audit`: what the owner did here. */
  show: ownerProcedure.input(byId).query(async ({ ctx: { server }, input: { id: person } }) => {
    const reads = server.database.ownerReads
    const row = await readPerson(reads, person)
    if (!row) throw new TRPCError({ code: 'NOT_FOUND', message: gone })
    return {
      ...row,
      audit: await readAudit(reads, person),
      /** The owner took them off the list, and they have done nothing since. */
      canPutBack: await canPutBack(reads, person),
      mails: await deliveriesOf(reads, person),
    }
  }),
  sendAgain: provedProcedure.input(byId).mutation(async ({ ctx: { server }, input }) => {
    await sendAgain(server, input.id)
    server.wakeDeliveries()
  }),
  /** The new address gets the link: whoever can do this takes the person's place. */
  correct: provedProcedure
    .input(z.object({ id, address: text }))
    .mutation(async ({ ctx: { server }, input }) => {
      await correctAddress(server, input.id, input.address)
      server.wakeDeliveries()
    }),
  unsubscribe: ownerProcedure
    .input(byId)
    .mutation(({ ctx, input }) => unsubscribePerson(ctx.server, input.id)),
  putBack: provedProcedure
    .input(byId)
    .mutation(({ ctx, input }) => putBackPerson(ctx.server, input.id)),
  erase: provedProcedure
    .input(byId)
    .mutation(({ ctx, input }) => erasePerson(ctx.server, input.id)),
})
