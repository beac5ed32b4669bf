import {
  type AnnouncementFigures,
  readAnnouncementFigures,
} from '../../announcements/announcement-figures.ts'
import {
  readAnnounceable,
  renderAnnouncement,
  sendTestAnnouncement,
} from '../../announcements/announcement-mail.ts'
import {
  type AnnouncementProgress,
  cancelAnnouncement,
  firstAllowance,
  pauseAnnouncement,
  readAnnouncements,
  resumeAnnouncement,
  startAnnouncement,
} from '../../announcements/announcements.ts'
import { hoursFor, planAnnouncement, restoredUnknowing } from '../../announcements/plan-announcement.ts'
import { returnedLimit } from '../../announcements/release-mail.ts'
import { explainReason } from '../../deliveries/reasons.ts'
import { type Call, Page, Refused, type Routes } from '../call.ts'
import type { Announcement, Announcements } from '../contract.ts'

const hourMs = 60 * 60_000
const longestNote = 2_000
const audiences = ['consented', 'everyone'] as const

export const announceRoutes = {
  'GET announcements': { for: 'owner', answer: describeAll },
  'POST announcements/preview-page': {
    for: 'owner',
    async answer(call) {
      const mail = await composeMail(call)
      return mail instanceof Refused ? mail : new Page(withoutStyles(asSample(mail.html, call)))
    },
  },
  'POST announcements/preview': {
    for: 'owner',
    async answer(call) {
      const mail = await composeMail(call)
      return mail instanceof Refused ? mail : { subject: mail.subject, text: asSample(mail.text, call) }
    },
  },
  'POST announcements/test': {
    for: 'owner',
    act: 'announcement-tested',
    async answer(call) {
      const mail = await composeMail(call)
      if (mail instanceof Refused) return mail
      const to = { address: call.ownerEmail, now: call.now() }
      const sending = await sendTestAnnouncement(call.mailer, mail, to)
      return sending.kind === 'accepted' ? {} : new Refused('impossible', explainReason(sending.why).words)
    },
  },
  'POST announcements/start': { for: 'proved', act: 'announcement-started', answer: start },
  'POST announcements/pause': {
    for: 'owner',
    act: 'announcement-paused',
    answer: (call) => change(call, pauseAnnouncement),
  },
  'POST announcements/resume': {
    for: 'proved',
    act: 'announcement-resumed',
    answer: (call) => change(call, resumeAnnouncement),
  },
  'POST announcements/cancel': {
    for: 'owner',
    act: 'announcement-cancelled',
    answer: (call) => change(call, cancelAnnouncement),
  },
} satisfies Partial<Routes>

/** As the owner would get it, without the link of a person. */
function asSample(text: string, { ownerEmail, config }: Call): string {
  return text.replaceAll('{{address}}', ownerEmail).replaceAll(/\{\{\w+\}\}/g, `${config.publicUrl}/kit/…`)
}

/** The desk's policy refuses inline styles, also in a document that a script reads: it sets them itself. */
function withoutStyles(html: string): string {
  return html
    .replaceAll(' style="', ' data-style="')
    .replaceAll(/<style[^>]*>/g, '<template>')
    .replaceAll('</style>', '</template>')
}

/** The one under way, without its course. Null: none is. */
export async function readUnderWay({ database: { query }, config, now }: Call): Promise<Announcement | null> {
  const all = await readAnnouncements(query)
  const underWay = all.find(({ state }) => state === 'running' || state.startsWith('paused'))
  return underWay ? describe(underWay, { byHour: [], returned: [], faults: [] }, config, now()) : null
}

async function describeAll(call: Call): Promise<Announcements> {
  const { database, config, folder, now } = call
  const { query } = database
  const { siteMailsPerHour } = config
  const announceable = await readAnnounceable(folder, config)
  const release = announceable?.release
  const plan = release && (await planAnnouncement(query, { release, to: 'everyone', siteMailsPerHour }))
  const { asked = 0, neverAsked = 0 } = plan?.people ?? {}
  const all: Announcement[] = []
  for (const one of await readAnnouncements(query)) {
    const figures = await readAnnouncementFigures(query, one.version, now())
    all.push(describe(one, figures, config, now()))
  }
  return {
    release: announceable ? { ...announceable.release, subject: announceable.template.subject } : null,
    audiences: { consented: asked, everyone: asked + neverAsked },
    perHour: { first: firstAllowance, most: Math.min(siteMailsPerHour, 1_000_000) },
    all,
  }
}

function describe(
  { perHour, allowance, ...standing }: AnnouncementProgress,
  { faults, ...course }: AnnouncementFigures,
  { siteMailsPerHour }: Call['config'],
  now: number,
): Announcement {
  const hours = hoursFor(standing.waiting, perHour ?? undefined, siteMailsPerHour, perHour ?? allowance)
  return {
    ...standing,
    ...course,
    endsAt: standing.state === 'running' && hours !== Infinity ? now + hours * hourMs : null,
    returnedLimit,
    reasons: faults.map(({ fault, count }) => ({ reason: explainReason(fault, true), count })),
  }
}

/** The mail with the owner's words, for the newest release alone. */
async function composeMail({ config, fields, folder }: Call) {
  const announceable = await readAnnounceable(folder, config)
  const version = fields.text('version')
  if (announceable?.release.version !== version)
    return new Refused('impossible', `The kit has another version than ${version}.`)
  const to = fields.optional('to', (name) => fields.oneOf(name, audiences)) ?? 'consented'
  const words = {
    subject: fields.optional('subject', fields.text),
    note: fields.optional('note', (name) => fields.text(name, longestNote)),
  }
  const { template, release } = announceable
  return { ...renderAnnouncement(template, to, words), release }
}

async function start(call: Call): Promise<Announcements | Refused> {
  const { database, fields, now } = call
  const mail = await composeMail(call)
  if (mail instanceof Refused) return mail
  const { release, ...template } = mail
  if ((await restoredUnknowing(database.query, release)) !== undefined)
    return new Refused(
      'impossible',
      'A backup was restored, and nothing told what had been sent since. The command "announce" can be told to go on.',
    )
  const order = {
    release,
    template,
    to: fields.oneOf('to', audiences),
    perHour: fields.optional('perHour', fields.number),
  }
  // The queueing and the sending are up to owner/announcements/release-mail.ts, in every instance.
  const { kind } = await startAnnouncement(database, order, now())
  if (kind === 'cancelled')
    return new Refused('impossible', `${release.version} was cancelled, and cannot go on.`)
  return describeAll(call)
}

async function change(
  call: Call,
  run: (database: Call['database'], version: string, now: number) => Promise<boolean>,
): Promise<Announcements | Refused> {
  const version = call.fields.text('version')
  if (await run(call.database, version, call.now())) return describeAll(call)
  return new Refused('impossible', `${version} is no longer in the state for that.`)
}
