import sql from 'sql-template-tag'
import { z } from 'zod'
import { announcement } from '#content/mail/announcement.ts'
import type { KitRelease } from '#content/releases.ts'
import { fill } from '#text/fill.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Reader } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { startAnnouncement } from '../../../announcements/announce.ts'
import {
  type Announceable,
  type Audience,
  type Change,
  changeAnnouncement,
} from '../../../announcements/announcements.ts'
import {
  composeAnnouncement,
  newestRelease,
  previewMail,
  sendTestMail,
} from '../../../announcements/announcement-mail.ts'
import { readDraft, writeDraft } from '../../../announcements/letters/letter-file.ts'
import { planAnnouncement } from '../../../announcements/plan.ts'
import {
  type AnnouncementProgress,
  readHourlyProgress,
  readProgress,
} from '../../../announcements/progress.ts'
import { hourMs, hoursFor } from '../../../announcements/pace/slow-start.ts'
import { CommandError } from '../../../command-line/command-context.ts'
import { explainReason } from '../../../deliveries/reasons.ts'
import type { DeskContext, OwnerRequest } from '../../desk-request.ts'
import {
  audited,
  FieldError,
  longText,
  ownerProcedure,
  provedProcedure,
  router,
  text,
} from '../../procedures.ts'
import { announcementTitle } from './announcement-titles.ts'

const draft = z.object({ kind: z.enum(['version', 'letter']), subject: text, text: longText })
const byName = z.object({ name: text })
const order = draft.extend({
  to: z.enum(['consented', 'everyone']),
  mostPerHour: z.int().min(1).max(1_000_000).nullish(),
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
    /** The next one waits for its end. */
    const underWay = all.find(({ state }) => state !== 'done' && state !== 'cancelled')
    return {
      /** The version of the kit. Null: it has no release notes. */
      version: release
        ? { ...release, subject: fill(announcement.subject, { version: release.version }) }
        : null,
      versionObstacle: await findVersionObstacle(reads, release, all),
      letter: await readDraft(reads),
      /** Null: there is no ceiling. */
      siteMailsPerHour: siteMailsPerHour === Infinity ? null : siteMailsPerHour,
      all,
      underWay: underWay && {
        ...underWay,
        hourly: await readHourlyProgress(reads, underWay, siteMailsPerHour),
      },
    }
  }),
  /**
   * Apart from `show`, because it counts everybody, and the desk reads running announcements every
   * few seconds.
   */
  audiences: ownerProcedure
    .input(draft.pick({ kind: true }))
    .query(async ({ ctx: { server }, input: { kind } }) => {
      const { database, now } = server
      const target = kind === 'letter' ? { kind } : releaseIn(server)
      const plan = await planAnnouncement(database.ownerReads, target, {
        to: 'everyone',
        now: now(),
      })
      return { consented: plan.people.asked, everyone: plan.audience }
    }),
  preview: ownerProcedure
    .input(draft)
    .query(({ ctx, input }) => previewMail(compose(ctx, 'consented', input), ctx.ownerEmail)),
  saveLetter: ownerProcedure
    .input(draft.omit({ kind: true }).partial())
    .mutation(({ ctx, input }) => writeDraft(ctx.server.database, input)),
  test: audited('Sent a test of an announcement')
    .input(draft)
    .mutation(async ({ ctx, input }) => {
      const { mailer, config, now } = ctx.server
      const address = ctx.ownerEmail
      const template = compose(ctx, 'consented', input)
      const sending = await sendTestMail(mailer, template, config, { address, now: now() })
      if (sending.kind !== 'accepted') throw new CommandError(explainReason(sending.why).words)
    }),
  start: audited('Started an announcement', provedProcedure)
    .input(order)
    .mutation(({ ctx, input }) => start(ctx, input)),
  pause: audited('Paused the announcement of')
    .input(byName)
    .mutation(({ ctx, input }) => change(ctx, input.name, 'pause')),
  resume: audited('Resumed the announcement of', provedProcedure)
    .input(byName)
    .mutation(({ ctx, input }) => change(ctx, input.name, 'resume')),
  cancel: audited('Cancelled the announcement of')
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
  if (before && (before.state !== 'done' || before.to !== 'consented')) return 'announced'
  const withoutIt = await reader.row(sql`
    select 1 from subscribers
    where state = 'active' and signed_up_at < ${release.signedUpBefore} limit 1`)
  return withoutIt ? null : 'everybody-has-it'
}

function compose(
  { server }: Pick<DeskContext, 'server'>,
  to: Audience,
  mail: z.infer<typeof draft>,
): StarterEmailTemplate {
  return composeAnnouncement({ mails: server.site.current.mails, config: server.config }, to, mail)
}

function change({ server }: OwnerRequest, name: string, wanted: Change): Promise<void> {
  return changeAnnouncement(server.database, name, wanted, server.now())
}

export interface ShownAnnouncement extends Omit<AnnouncementProgress, 'state'> {
  title: string
  state: AnnouncementProgress['state'] | 'paused-automatically'
  /** ms since 1970: an estimate while it runs, else null. */
  endsAt: number | null
}

/** The sum of its sent, failed, waiting and cancelled is the recipients. */
export function describeAnnouncement(
  progress: AnnouncementProgress,
  siteMailsPerHour: number,
  now: number,
): ShownAnnouncement {
  const { kind, name, subject, state, resumedAt, pausedWhy } = progress
  const waiting = progress.waiting + progress.held + progress.stillToCome
  const hour = Math.floor((now - resumedAt) / hourMs)
  const end = hoursFor(waiting, { ...progress, siteMailsPerHour }, hour)
  return {
    ...progress,
    waiting,
    title: announcementTitle(kind, name, subject),
    state: pausedWhy === null ? state : 'paused-automatically',
    endsAt: state === 'running' ? resumedAt + end * hourMs : null,
  }
}

function releaseIn({ site }: ServerContext) {
  const release = newestRelease(site.current.releases)
  if (!release) throw new CommandError('There are no release notes for the version of the kit.')
  return release
}

async function start(
  { server }: OwnerRequest,
  { to, mostPerHour, ...words }: z.infer<typeof order>,
): Promise<void> {
  const { database, now } = server
  const isLetter = words.kind === 'letter'
  const target = isLetter ? { kind: words.kind, name: nameFor(words.subject) } : releaseIn(server)
  const template = compose({ server }, to, words)
  const isStarted = await startAnnouncement(
    database,
    { ...target, to, template, mostPerHour },
    now(),
  )
  if (!isStarted && isLetter) {
    throw new FieldError('subject', 'A letter of this subject was sent before. Change it.')
  }
  if (isLetter) {
    await writeDraft(database, { subject: words.subject, text: words.text, name: target.name })
  }
}

/** Names the letter as its file would be named. */
function nameFor(subject: string): string {
  const letters = subject.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const name = letters.replaceAll(/[^a-z\d]+/g, '-').slice(0, 60)
  return name.replaceAll(/^-|-$/g, '') || 'letter'
}
