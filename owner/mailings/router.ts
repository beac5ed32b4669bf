import sql from 'sql-template-tag'
import { z } from 'zod'
import type { MailTemplate } from '#site/mail/compose-mail.ts'
import type { Reader } from '#server/database/database.ts'
import { countByFault } from '#owner/mail/delivery-figures.ts'
import { previewMail } from '#owner/mail/preview-mail.ts'
import { listCampaigns } from '#owner/people/campaigns.ts'
import { CommandError } from '#owner/acts/errors.ts'
import type { OwnerRequest } from '#owner/acts/desk-request.ts'
import { byId, longText, text } from '#owner/acts/inputs.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'
import { countAudience, isVersionToTell } from './audience.ts'
import { changeMailing, type MailingAct } from './change-mailing.ts'
import { composeMailing, letterAboutVersion } from './compose.ts'
import { addPicture, maxPictureBytes } from './letters/pictures.ts'
import { maxAfterDays } from './limits.ts'
import {
  addMailing,
  isEditable,
  isLive,
  isRemoved,
  listMailings,
  type Mailing,
  type NewMailing,
  readMailing,
  titleOf,
} from './mailings.ts'
import { readSample } from './sending/sample.ts'
import { saveMailing } from './save-mailing.ts'
import { sendTest } from './send-test.ts'
import { countMissing } from './series.ts'
import { isWarmUpOn, readWarmUpRoom, switchWarmUp } from './sending/warm-up.ts'

const days = z.int().min(1).max(maxAfterDays)
const changes = z
  .object({
    subject: text,
    preview: text,
    words: longText,
    to: z.enum(['consented', 'everyone']),
    campaigns: z.array(text).max(50).nullable(),
    notMailing: z.int().positive().nullable(),
    sendAt: z.int().nullable(),
    afterDays: days,
  })
  .partial()
const save = byId.extend({ changes, before: changes, revision: z.int() })

/** Letters: those that go out once, and those of the series. */
export const mailingsRouter = router({
  /**
   * Every mailing, the newest first, and those of the series by their day; and what could be
   * written about.
   */
  list: ownerProcedure.query(async ({ ctx: { server } }) => {
    const reads = server.database.ownerReads
    const { releases } = server.site.current
    const isToTell = await isVersionToTell(reads, releases)
    return {
      mailings: await listMailings(reads, sql`order by after_days, id desc`),
      /** Null: there is no version to tell people about. */
      versionToTell: isToTell ? releases[0]!.version : null,
      warmUp: await showWarmUp(reads, server.now()),
    }
  }),
  /** One mailing, with its text, the mail as it arrives, and how it goes. */
  one: ownerProcedure.input(byId).query(async ({ ctx, input: { id } }) => {
    const reads = ctx.server.database.ownerReads
    const mailing = await find(reads, id)
    const { template } = mailing
    const mail = template ? await readTemplate(reads, template) : compose(ctx, mailing)
    return {
      ...mailing,
      title: titleOf(mailing),
      isEditable: isEditable(mailing),
      isLive: isLive(mailing),
      isRemoved: isRemoved(mailing),
      mail: previewMail(mail, ctx.server.config, ctx.ownerEmail),
      sample: await readSample(reads, mailing),
      faults: await countByFault(reads, sql`d.mailing = ${id} and d.state = 'failed'`),
    }
  }),
  /** Counts everybody, so the desk asks for it apart. `revision`: each has a count of its own. */
  audience: ownerProcedure
    .input(byId.extend({ revision: z.int() }))
    .query(async ({ ctx: { server }, input: { id } }) => {
      const reads = server.database.ownerReads
      return countAudience(reads, await find(reads, id))
    }),
  campaigns: ownerProcedure.query(({ ctx }) => listCampaigns(ctx.server.database.ownerReads)),
  /** Adds a draft. Returns its number. */
  add: ownerProcedure
    .input(z.object({ kind: z.enum(['letter', 'series', 'version']) }))
    .mutation(({ ctx, input: { kind } }) => add(ctx, newMailing(ctx, kind))),
  /** Writes another like it, or one for those who have not had it. */
  copy: ownerProcedure
    .input(byId.extend({ forOthers: z.boolean().default(false) }))
    .mutation(async ({ ctx, input: { id, forOthers } }) => {
      const mailing = await find(ctx.server.database, id)
      const { subject, preview, words, to, campaigns, version, versionDate, again } = mailing
      return add(ctx, {
        subject,
        preview,
        words,
        to,
        campaigns,
        version,
        versionDate,
        ...(forOthers && { again: 1, notMailing: again === 1 ? mailing.notMailing : id }),
      })
    }),
  /** Saves what was typed into a draft. */
  save: ownerProcedure
    .input(save)
    .mutation(({ ctx: { server }, input }) => saveMailing(server.database, input, server.now())),
  /** The same for a letter of the series that is on: it goes out by itself. */
  saveLive: provedProcedure
    .input(save)
    .mutation(({ ctx: { server }, input }) =>
      saveMailing(server.database, { ...input, isProved: true }, server.now()),
    ),
  /** How many people would miss a letter of the series with another day. */
  missing: ownerProcedure
    .input(byId.extend({ afterDays: days }))
    .query(async ({ ctx: { server }, input: { id, afterDays } }) => {
      const reads = server.database.ownerReads
      return countMissing(reads, await find(reads, id), afterDays, server.now())
    }),
  /** Keeps a picture, and returns its path for the Markdown. */
  addPicture: ownerProcedure
    .input(z.object({ content: z.base64().max(Math.ceil((4 * maxPictureBytes) / 3) + 4) }))
    .mutation(({ ctx: { server }, input: { content } }) =>
      addPicture(server.database, Buffer.from(content, 'base64'), server.now()),
    ),
  test: ownerProcedure.input(byId).mutation(async ({ ctx, input: { id } }) => {
    const mailing = await find(ctx.server.database, id)
    await sendTest(ctx.server, compose(ctx, mailing), ctx.ownerEmail)
  }),
  send: provedProcedure.input(byId).mutation(({ ctx, input }) => change(ctx, input.id, 'send')),
  resume: provedProcedure.input(byId).mutation(({ ctx, input }) => change(ctx, input.id, 'resume')),
  pause: ownerProcedure.input(byId).mutation(({ ctx, input }) => change(ctx, input.id, 'pause')),
  /** Takes back, ends or removes. */
  cancel: ownerProcedure.input(byId).mutation(({ ctx, input }) => change(ctx, input.id, 'cancel')),
  restore: ownerProcedure
    .input(byId)
    .mutation(({ ctx, input }) => change(ctx, input.id, 'restore')),
  switchWarmUp: provedProcedure
    .input(z.object({ isOn: z.boolean() }))
    .mutation(({ ctx: { server }, input: { isOn } }) =>
      switchWarmUp(server.database, { isOn, now: server.now() }),
    ),
})

async function find(reader: Reader, id: number): Promise<Mailing> {
  const mailing = await readMailing(reader, id)
  if (!mailing) throw new CommandError('This letter does not exist any more.')
  return mailing
}

async function readTemplate(reader: Reader, hash: string): Promise<MailTemplate> {
  const row = await reader.row<{ content: string }>(
    sql`select content from mail_templates where hash = ${hash}`,
  )
  return JSON.parse(row!.content) // as keepTemplate wrote it; a foreign key keeps the row
}

function compose({ server }: OwnerRequest, mailing: Mailing): MailTemplate {
  const { content, mails } = server.site.current
  return composeMailing({ content, mails }, mailing)
}

function newMailing({ server }: OwnerRequest, kind: 'letter' | 'series' | 'version'): NewMailing {
  if (kind === 'letter') return {}
  if (kind === 'series') return { afterDays: 1 }
  const { content, releases } = server.site.current
  const [newest] = releases
  if (!newest) throw new CommandError('There are no release notes for the version of the kit.')
  return letterAboutVersion(content, newest)
}

function add({ server }: OwnerRequest, mailing: NewMailing): Promise<number> {
  return server.database.transaction((transaction) =>
    addMailing(transaction, mailing, server.now()),
  )
}

function change({ server }: OwnerRequest, id: number, act: MailingAct): Promise<void> {
  return changeMailing(server.database, id, { act, now: server.now() })
}

/** Null: nothing is held back today. */
async function showWarmUp(reader: Reader, now: number) {
  const room = await readWarmUpRoom(reader, now)
  return { isOn: await isWarmUpOn(reader), roomToday: room === Infinity ? null : room }
}
