import { z } from 'zod'
import type { Database } from '#server/database/database.ts'
import {
  type AnnouncementKind,
  type Audience,
  cancelAnnouncement,
  pauseAnnouncement,
  resumeAnnouncement,
  startAnnouncement,
} from '../../announcements/announcements.ts'
import {
  previewMail,
  readAnnounceable,
  renderAnnouncement,
  sendTestMail,
} from '../../announcements/announcement-mail.ts'
import { readDraft, renderLetter, writeDraft } from '../../announcements/letters.ts'
import { planAnnouncement } from '../../announcements/plan.ts'
import { readCourse, readProgress } from '../../announcements/progress.ts'
import { hoursFor } from '../../announcements/slow-start.ts'
import { explainReason } from '../../deliveries/reasons.ts'
import type { Call } from '../call.ts'
import { longText, owner, proved, recorded, Refused, router, text } from '../procedures.ts'

const hourMs = 60 * 60_000
/** A draft gets its own name when it is sent. */
const draftName = 'desk-draft'

const kinds = z.enum(['version', 'letter'])
/** `text`: the owner's words above the notes of a version, or the letter in Markdown. An empty subject is the usual one. */
const draft = z.object({ kind: kinds, subject: text, text: longText })
type Draft = z.infer<typeof draft>
const order = draft.extend({
  to: z.enum(['consented', 'everyone']),
  mostPerHour: z.int().min(1).max(1_000_000).optional(),
})

export const announceRouter = router({
  show: owner.query(({ ctx }) => describeAll(ctx)),
  /** Apart from `show`, because it counts everybody, and the desk reads running announcements every few seconds. */
  audiences: owner
    .input(z.object({ kind: kinds }))
    .query(({ ctx, input }) => countAudiences(ctx, input.kind)),
  preview: owner
    .input(draft)
    .query(({ ctx, input }) => previewMail(compose(ctx, input, 'consented'), ctx.ownerEmail)),
  saveLetter: owner
    .input(z.object({ subject: text, text: longText }))
    .mutation(({ ctx, input }) => writeDraft(ctx.database, input)),
  test: owner
    .input(draft)
    .use(recorded('Sent a test of an announcement'))
    .mutation(async ({ ctx, input }) => {
      const { mailer, config, ownerEmail, now } = ctx
      const template = compose(ctx, input, 'consented')
      const sending = await sendTestMail(mailer, template, config, { address: ownerEmail, now: now() })
      if (sending.kind !== 'accepted') throw new Refused(explainReason(sending.why).words)
    }),
  start: proved
    .input(order)
    .use(recorded('Started an announcement'))
    .mutation(({ ctx, input }) => start(ctx, input)),
  pause: changing('Paused the announcement of', pauseAnnouncement),
  resume: changing('Resumed the announcement of', resumeAnnouncement, proved),
  cancel: changing('Cancelled the announcement of', cancelAnnouncement),
})

/** `act`: for the audit. */
function changing(
  act: string,
  change: (database: Database, name: string, now: number) => Promise<boolean>,
  whoMay: typeof owner = owner,
) {
  return whoMay
    .input(z.object({ name: text }))
    .use(recorded(act))
    .mutation(async ({ ctx: { database, now }, input: { name } }) => {
      if (!(await change(database, name, now()))) throw new Refused('It is no longer in the state for that.')
    })
}

/** Describes all announcements, the newest first, and what can be announced. */
async function describeAll(call: Call) {
  const { database, config, folder } = call
  const { siteMailsPerHour } = config
  const all = await listAll(call)
  const kit = readAnnounceable(folder, config)
  const before = all.find(({ name }) => name === kit?.announceable.name)
  const isOpen =
    !before || before.state === 'cancelled' || (before.state === 'done' && before.to === 'consented')
  /** The next one waits for its end. */
  const underWay = all.find(isUnderWay)
  const course = underWay && (await readCourse(database, underWay.name, siteMailsPerHour))
  return {
    /** The version of the kit. Null: it has no release notes. */
    version: kit ? { ...kit.release, subject: kit.template.subject } : null,
    canStartVersion: kit !== undefined && isOpen,
    letter: await readDraft(database),
    /** Null: there is no ceiling. */
    siteMailsPerHour: siteMailsPerHour === Infinity ? null : siteMailsPerHour,
    all,
    underWay: underWay && course && { ...underWay, course },
  }
}

export function isUnderWay({ state }: { state: string }): boolean {
  return state !== 'done' && state !== 'cancelled'
}

/** `endsAt`: an estimate while it runs. The sum of sent, failed, waiting and cancelled is the recipients. */
export async function listAll({ config: { siteMailsPerHour }, database, now }: Call) {
  return (await readProgress(database, now())).map((progress) => {
    const { kind, name, state } = progress
    const waiting = progress.waiting + progress.held + progress.stillToCome
    const hours = hoursFor(waiting, { ...progress, siteMailsPerHour })
    return {
      ...progress,
      waiting,
      title: kind === 'version' ? `Version ${name}` : `The letter “${name}”`,
      state: progress.pausedWhy === null ? state : ('paused-automatically' as const),
      endsAt: state === 'running' ? now() + hours * hourMs : null,
    }
  })
}

/** Counts the people whom each choice reaches. */
async function countAudiences(call: Call, chosen: AnnouncementKind) {
  const { database, config, now } = call
  const pace = { perHour: null, mostPerHour: null, siteMailsPerHour: config.siteMailsPerHour }
  const target = chosen === 'letter' ? { kind: chosen, name: draftName } : versionOf(call).announceable
  const plan = await planAnnouncement(database, target, { to: 'everyone', now: now(), pace })
  return { consented: plan.people.asked, everyone: plan.audience }
}

function versionOf({ folder, config }: Call) {
  const version = readAnnounceable(folder, config)
  if (!version) throw new Refused('There are no release notes for the version of the kit.', 'NOT_FOUND')
  return version
}

/** Composes the mail with the owner's words. */
function compose(call: Call, { kind: chosen, subject, text: words }: Draft, to: Audience) {
  return chosen === 'letter'
    ? renderLetter(call.folder, call.config, to, { subject, text: words })
    : renderAnnouncement(versionOf(call).template, to, { subject, note: words })
}

async function start(call: Call, { to, mostPerHour, ...words }: z.infer<typeof order>): Promise<void> {
  const { database, now } = call
  const isLetter = words.kind === 'letter'
  const target = isLetter ? { kind: words.kind, name: nameFor(words.subject) } : versionOf(call).announceable
  const template = compose(call, words, to)
  const outcome = await startAnnouncement(database, { ...target, to, template, mostPerHour }, now())
  if (outcome === 'cancelled') throw new Refused(`${target.name} was cancelled for good.`)
  if (outcome !== 'started' && isLetter)
    throw new Refused('A letter of this subject was sent before. Change the subject.')
  if (isLetter) await writeDraft(database, { subject: '', text: '' })
}

/** Names the letter as its file would be named. */
function nameFor(subject: string): string {
  const letters = subject.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const name = letters.replaceAll(/[^a-z\d]+/g, '-').slice(0, 60)
  return name.replaceAll(/^-|-$/g, '') || 'letter'
}
