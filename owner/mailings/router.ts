import sql from 'sql-template-tag'
import { z } from 'zod'
import { announcement } from '#content/mail/announcement.ts'
import type { KitRelease } from '#content/releases.ts'
import { fill } from '#site/text/fill.ts'
import type { MailTemplate } from '#site/mail/compose-mail.ts'
import type { Reader } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { type Change, changeAnnouncement, sendTest, startAnnouncement } from './announce.ts'
import {
  type Announceable,
  type Announcement,
  type AnnouncementOrder,
  type Audience,
  readAnnouncements,
} from './announcements.ts'
import { shownState, type ShownState } from './announcement-words.ts'
import { composeAnnouncement, newestRelease, oneLine, previewMail } from './announcement-mail.ts'
import { removeDraft } from './letters/drafts.ts'
import { nameOfLetter } from './letters/letter-name.ts'
import { planAnnouncement } from './plan.ts'
import { type AnnouncementProgress, readHourlyProgress, readProgress } from './progress.ts'
import { hourMs, hoursFor, type Pace } from './pace/slow-start.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { listCampaigns } from '#owner/people/list-subscribers.ts'
import type { DeskContext, OwnerRequest } from '#owner/acts/desk-request.ts'
import { byName, longText, text } from '#owner/acts/inputs.ts'
import { FieldError } from '#owner/acts/field-error.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'
import { announcementTitle } from '#owner/mail/announcement-titles.ts'

const draft = z.object({
  kind: z.enum(['version', 'letter']),
  subject: text,
  preview: text.default(''),
  text: longText,
})
const campaigns = z.array(text).min(1).max(50).optional()
const order = draft.extend({
  to: z.enum(['consented', 'everyone']),
  campaigns,
  mostPerHour: z.int().min(1).max(1_000_000).nullish(),
  /** False: the pace is the most an hour from the first hour on. */
  isSlowStart: z.boolean().default(true),
  /** ms since 1970. Null: a minute after it was confirmed. */
  sendAt: z.int().nullish(),
  /** The draft that is sent, and is none afterwards. */
  draft: text.optional(),
})

export const announceRouter = router({
  /** All announcements, the newest first, and what can be announced. */
  show: ownerProcedure.query(async ({ ctx: { server } }) => {
    const { database, config, now } = server
    const { siteMailsPerHour } = config
    const reads = database.ownerReads
    const at = now()
    const progresses = await readProgress(reads, at)
    const all = progresses.map((one) => describeAnnouncement(one, siteMailsPerHour, at))
    const release = newestRelease(server.site.current.releases)
    return {
      /** The version of the kit. Null: it has no release notes. */
      version: release
        ? { ...release, subject: fill(announcement.subject, { version: release.version }) }
        : null,
      versionObstacle: await findVersionObstacle(reads, release, all),
      /** Null: there is no ceiling. */
      siteMailsPerHour: siteMailsPerHour === Infinity ? null : siteMailsPerHour,
      all,
    }
  }),
  /** One announcement: how it goes or went, and the mail as it arrives. */
  one: ownerProcedure.input(byName).query(async ({ ctx, input: { name } }) => {
    const { database, config, now } = ctx.server
    const { siteMailsPerHour } = config
    const reads = database.ownerReads
    const [progress] = await readProgress(reads, now(), name)
    const [kept] = await readAnnouncements(reads, sql`where name = ${name}`)
    if (!progress || !kept) throw new CommandError(`${name} was not announced.`)
    return {
      ...describeAnnouncement(progress, siteMailsPerHour, now()),
      hourly: await readHourlyProgress(reads, progress, siteMailsPerHour),
      mail: await previewMail(await readTemplate(reads, kept), ctx.server.config, ctx.ownerEmail),
      /** Null: they were not kept. */
      words: kept.words,
    }
  }),
  /**
   * Apart from `show`, because it counts everybody, and the desk reads running announcements every
   * few seconds.
   */
  audiences: ownerProcedure
    .input(draft.pick({ kind: true }).extend({ subject: text.default(''), campaigns }))
    .query(async ({ ctx: { server }, input }) => {
      const { database, now } = server
      const reads = database.ownerReads
      const target = await targetOf(server, input)
      const planned = { ...target, campaigns: input.campaigns }
      const { audience, people } = await planAnnouncement(reads, planned, {
        to: 'everyone',
        now: now(),
      })
      /** `have`: people who have a mail of it. They get no other. */
      return { consented: people.asked, everyone: audience, have: people.announcedTo }
    }),
  /** The campaigns that brought most people. */
  campaigns: ownerProcedure.query(({ ctx }) => listCampaigns(ctx.server.database.ownerReads)),
  preview: ownerProcedure
    .input(draft)
    .query(({ ctx, input }) =>
      previewMail(compose(ctx, 'consented', input), ctx.server.config, ctx.ownerEmail),
    ),
  test: ownerProcedure.input(draft).mutation(async ({ ctx, input }) => {
    await sendTest(ctx.server, compose(ctx, 'consented', input), ctx.ownerEmail)
  }),
  /** Returns its name. */
  start: provedProcedure.input(order).mutation(({ ctx, input }) => start(ctx, input)),
  pause: ownerProcedure
    .input(byName)
    .mutation(({ ctx, input }) => change(ctx, input.name, 'pause')),
  resume: provedProcedure
    .input(byName)
    .mutation(({ ctx, input }) => change(ctx, input.name, 'resume')),
  cancel: ownerProcedure
    .input(byName)
    .mutation(({ ctx, input }) => change(ctx, input.name, 'cancel')),
})

/** Why the kit's version cannot be announced. Null: it can. */
type VersionObstacle = 'no-release-notes' | 'announced' | 'everybody-has-it' | null

async function findVersionObstacle(
  reader: Reader,
  release: (KitRelease & Announceable) | undefined,
  all: readonly ShownAnnouncement[],
): Promise<VersionObstacle> {
  if (!release) return 'no-release-notes'
  const before = all.find(({ name }) => name === release.name)
  // An announcement to those who asked for news can be widened to everyone once it is done.
  if (before && (before.state !== 'done' || before.to !== 'consented')) return 'announced'
  const withoutIt = await reader.row(sql`
    select 1 from subscribers
    where state = 'active' and signed_up_at < ${release.signedUpBefore} limit 1`)
  return withoutIt ? null : 'everybody-has-it'
}

/** The template of its mails. */
async function readTemplate(reader: Reader, { template }: Announcement): Promise<MailTemplate> {
  const row = await reader.row<{ content: string }>(
    sql`select content from mail_templates where hash = ${template}`,
  )
  return JSON.parse(row!.content) // as keepTemplate wrote it; a foreign key keeps the row
}

function compose(
  { server }: Pick<DeskContext, 'server'>,
  to: Audience,
  mail: z.infer<typeof draft>,
): MailTemplate {
  const { content, mails } = server.site.current
  return composeAnnouncement({ content, mails }, to, mail)
}

async function change({ server }: OwnerRequest, name: string, wanted: Change): Promise<void> {
  await changeAnnouncement(server.database, name, wanted, server.now())
}

export interface ShownAnnouncement extends Omit<AnnouncementProgress, 'state'> {
  title: string
  state: ShownState
  /** ms since 1970: an estimate while it runs, else null. */
  endsAt: number | null
}

/** The sum of its sent, failed, waiting and cancelled is the recipients. */
export function describeAnnouncement(
  progress: AnnouncementProgress,
  siteMailsPerHour: number,
  now: number,
): ShownAnnouncement {
  const { kind, name, subject, state, resumedAt } = progress
  const waiting = progress.waiting + progress.held + progress.stillToCome
  const hour = Math.floor((now - resumedAt) / hourMs)
  const end = hoursFor(waiting, { ...progress, siteMailsPerHour }, hour)
  return {
    ...progress,
    waiting,
    title: announcementTitle(kind, name, subject),
    state: shownState(progress),
    endsAt: state === 'running' ? resumedAt + end * hourMs : null,
  }
}

function releaseIn({ site }: Pick<ServerContext, 'site'>) {
  const release = newestRelease(site.current.releases)
  if (!release) throw new CommandError('There are no release notes for the version of the kit.')
  return release
}

/** The version of the kit, or the letter of this subject. */
async function targetOf(
  server: Pick<ServerContext, 'database' | 'site'>,
  { kind, subject }: Pick<z.infer<typeof draft>, 'kind' | 'subject'>,
): Promise<Announceable> {
  if (kind === 'version') return releaseIn(server)
  return { kind, name: await nameOfLetter(server.database.ownerReads, oneLine(subject)) }
}

async function start({ server }: OwnerRequest, input: z.infer<typeof order>): Promise<string> {
  const { database, now } = server
  const template = compose({ server }, input.to, input)
  const target = await targetOf(server, { kind: input.kind, subject: template.subject })
  const wanted: AnnouncementOrder = {
    ...target,
    to: input.to,
    campaigns: input.campaigns,
    template,
    words: input.text,
    preview: input.preview,
    sendAt: input.sendAt ?? undefined,
    ...paceOf(input),
  }
  const isStarted = await startAnnouncement(database, wanted, now())
  if (!isStarted && input.kind === 'letter') {
    throw new FieldError(
      'subject',
      'All of them have had a letter with this subject. Change the subject.',
    )
  }
  const { draft: sent } = input
  if (sent !== undefined) {
    await database.transaction((transaction) => removeDraft(transaction, sent))
  }
  return target.name
}

const fastest = 1_000_000

/** Without the slow start the most an hour is sent from the first hour on. */
function paceOf({
  mostPerHour,
  isSlowStart,
}: Pick<z.infer<typeof order>, 'mostPerHour' | 'isSlowStart'>): Pace {
  return isSlowStart ? { mostPerHour } : { perHour: mostPerHour ?? fastest }
}
