import { readAnnouncementFigures } from '../../announcements/announcement-figures.ts'
import { readAnnounceable, renderAnnouncement, sendTestMail } from '../../announcements/announcement-mail.ts'
import {
  type AnnouncementProgress,
  cancelAnnouncement,
  pauseAnnouncement,
  readAnnouncements,
  resumeAnnouncement,
  startAnnouncement,
} from '../../announcements/announcements.ts'
import { planAnnouncement, findLossyRestore } from '../../announcements/plan-announcement.ts'
import { returnedLimit } from '../../announcements/release-mail.ts'
import { hoursFor } from '../../announcements/slow-start.ts'
import { htmlAnswer } from '#server/http/answer.ts'
import { explainReason } from '../../deliveries/reasons.ts'
import { type Call, Refused, route, RawAnswer } from '../call.ts'
import { number, oneOf, optional, type Sent, text, textUpTo } from '../fields.ts'

const hourMs = 60 * 60_000
/** A policy for HTML that the desk reads. A browser that opens its address shows nothing. */
const shownByNobody = `default-src 'none'; frame-ancestors 'none'; sandbox`
const audience = oneOf(['consented', 'everyone'])
/** The owner's changes to the mail. An empty subject is the usual one. */
const mailFields = { version: text, subject: optional(text), note: optional(textUpTo(2_000)) }
const draftFields = { ...mailFields, to: optional(audience) }
const orderFields = { ...mailFields, to: audience, perHour: optional(number) }

export const announceRoutes = {
  'GET announcements': route({ for: 'owner', answer: describeAll }),
  /** A separate route, because it counts everybody, and the desk reads running announcements every few seconds. */
  'GET announcements/audiences': route({ for: 'owner', answer: countAudiences }),
  'POST announcements/preview-page': route({
    for: 'owner',
    sent: draftFields,
    async answer(call, draft) {
      const mail = await composeMail(call, draft)
      if (mail instanceof Refused) return mail
      const html = withoutStyles(asSample(mail.html, call))
      return new RawAnswer(htmlAnswer(200, html, { 'content-security-policy': shownByNobody }))
    },
  }),
  'POST announcements/preview': route({
    for: 'owner',
    sent: draftFields,
    async answer(call, draft) {
      const mail = await composeMail(call, draft)
      return mail instanceof Refused ? mail : { subject: mail.subject, text: asSample(mail.text, call) }
    },
  }),
  'POST announcements/test': route({
    for: 'owner',
    act: 'announcement-tested',
    sent: draftFields,
    async answer(call, draft) {
      const mail = await composeMail(call, draft)
      if (mail instanceof Refused) return mail
      const to = { address: call.ownerEmail, now: call.now() }
      const sending = await sendTestMail(call.mailer, mail, call.config, to)
      return sending.kind === 'accepted' ? {} : new Refused('impossible', explainReason(sending.why).words)
    },
  }),
  'POST announcements/start': route({
    for: 'proved',
    act: 'announcement-started',
    sent: orderFields,
    answer: start,
  }),
  'POST announcements/pause': changeRoute('owner', 'announcement-paused', pauseAnnouncement),
  'POST announcements/resume': changeRoute('proved', 'announcement-resumed', resumeAnnouncement),
  'POST announcements/cancel': changeRoute('owner', 'announcement-cancelled', cancelAnnouncement),
}

function changeRoute(
  who: 'owner' | 'proved',
  act: string,
  change: (database: Call['database'], version: string, now: number) => Promise<boolean>,
) {
  return route({
    for: who,
    act,
    sent: { version: text },
    async answer(call, { version }) {
      if (await change(call.database, version, call.now())) return {}
      return new Refused('impossible', `${version} is no longer in the state for that.`)
    },
  })
}

/** Fills a mail as the owner would get it, without a personal link. */
function asSample(mail: string, { ownerEmail, config }: Call): string {
  return mail.replaceAll('{{address}}', ownerEmail).replaceAll(/\{\{\w+\}\}/g, `${config.publicUrl}/kit/…`)
}

/**
 * Renames inline styles: the desk's policy refuses them, also in a document that a script parses, so the desk's script sets them.
 * Under trusted types only XMLHttpRequest parses HTML, so this answer is not JSON.
 */
function withoutStyles(html: string): string {
  return html
    .replaceAll(' style="', ' data-style="')
    .replaceAll(/<style[^>]*>/g, '<template>')
    .replaceAll('</style>', '</template>')
}

type Course = Awaited<ReturnType<typeof readAnnouncementFigures>>
const noCourse: Course = { byHour: [], returned: [], faults: [] }

/** Returns the announcement under way, without its course, or null. */
export async function readUnderWay(call: Call) {
  const all = await readAnnouncements(call.database.query, 'under way')
  const underWay = all.find(({ state }) => state !== 'done')
  return underWay ? describe(underWay, noCourse, call) : null
}

/** Describes all announcements, the newest first, and the release that can be announced. */
async function describeAll(call: Call) {
  const { database, config, folder, now } = call
  const { query } = database
  const announceable = await readAnnounceable(folder, config)
  const release = announceable?.release
  const all = await readAnnouncements(query)
  const [newest] = all
  const before = all.find(({ version }) => version === release?.version)
  const isOver = newest?.state === 'done' || newest?.state === 'cancelled'
  const watched = newest === before || !isOver ? newest : undefined
  const canGrow = before?.state === 'done' && before.to === 'consented'
  const course = watched && (await readAnnouncementFigures(query, watched, now()))
  return {
    release: announceable ? { ...announceable.release, subject: announceable.template.subject } : null,
    /** The release can be announced now. */
    canStart: release !== undefined && (!before || canGrow) && (!watched || watched === before),
    /** Null: there is no ceiling. */
    siteMailsPerHour: config.siteMailsPerHour === Infinity ? null : config.siteMailsPerHour,
    /** The newest is under way, or announces the release. */
    isWatched: watched !== undefined,
    all: all.map((one) => describe(one, (one === watched && course) || noCourse, call)),
  }
}

async function countAudiences({ database, config, folder }: Call) {
  const announceable = await readAnnounceable(folder, config)
  if (!announceable) return new Refused('not-found', 'There are no release notes for the version of the kit.')
  const { siteMailsPerHour } = config
  const order = { release: announceable.release, to: 'everyone', siteMailsPerHour } as const
  const plan = await planAnnouncement(database.query, order)
  return { consented: plan.people.asked, everyone: plan.audience }
}

/** Describes an announcement. `endsAt`: an estimate while it runs. */
function describe(
  { perHour, allowance, ...standing }: AnnouncementProgress,
  { faults, ...course }: Course,
  { config, now }: Call,
) {
  const first = perHour ?? allowance
  const hours = hoursFor(standing.waiting, perHour ?? undefined, config.siteMailsPerHour, first)
  return {
    ...standing,
    ...course,
    endsAt: standing.state === 'running' && hours !== Infinity ? now() + hours * hourMs : null,
    returnedLimit,
    reasons: faults.map(({ fault, count }) => ({ reason: explainReason(fault, true), count })),
  }
}

/** Composes the mail about the newest release with the owner's words. */
async function composeMail(
  { config, folder }: Call,
  { version, to = 'consented', ...words }: Sent<typeof draftFields>,
) {
  const announceable = await readAnnounceable(folder, config)
  if (announceable?.release.version !== version)
    return new Refused('impossible', `The kit has another version than ${version}.`)
  const { template, release } = announceable
  return { ...renderAnnouncement(template, to, words), release }
}

async function start(call: Call, { perHour, ...draft }: Sent<typeof orderFields>) {
  const { database, now } = call
  const mail = await composeMail(call, draft)
  if (mail instanceof Refused) return mail
  const { release, ...template } = mail
  if ((await findLossyRestore(database.query, release)) !== undefined)
    return new Refused(
      'impossible',
      'A backup was restored, and there is no record of what was sent after it was made. The command "announce" has an option to go on.',
    )
  // owner/announcements/release-mail.ts queues and sends, in every instance.
  const order = { release, template, to: draft.to, perHour }
  const { kind } = await startAnnouncement(database, order, now())
  if (kind === 'cancelled')
    return new Refused('impossible', `${release.version} was cancelled, and cannot go on.`)
  return {}
}
