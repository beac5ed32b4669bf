import type { Finding } from '../doctor/finding.ts'
import type { Reason } from '../deliveries/reasons.ts'
import type { ToolName } from '../subscribers/export-subscribers.ts'
import type { Summary } from '../stats/summary.ts'
import type { AlarmFinding } from '../weekly-report/alarm-findings.ts'

// Times are ms since 1970, days are UTC (`2026-11-22`), shares are of 1. Every write is a POST with a JSON object, `{}` if
// there is nothing to say. The page is at /desk and below; the built app is in dist/desk: index.html, build.json with the
// hashes of its inline styles and scripts, and assets/, served at /desk/assets/.

export const deskPath = '/desk'
export const deskApiPath = '/desk/api'

/** Below deskApiPath: what is sent and what comes back. `:id` stands for a number; GET sends its fields as a query. */
export interface DeskApi {
  // Without a cookie. All answer the same way whether a mail went out or not.
  'GET sign-in': [sent: Nothing, back: SignInOffer]
  /** Mails a code, and binds it to this browser by a cookie of 10 minutes. */
  'POST sign-in/mail-code': [sent: Nothing, back: CodeAsked]
  /** Spaces in the code are ignored. */
  'POST sign-in/code': [sent: { code: string }, back: Session]
  /** `token`: after the # of the address that `owner desk-link` printed. */
  'POST sign-in/link': [sent: { token: string }, back: Session]
  /** Answers PublicKeyCredentialRequestOptionsJSON. */
  'POST sign-in/passkey-options': [sent: Nothing, back: object]
  /** AuthenticationResponseJSON. */
  'POST sign-in/passkey': [sent: { response: object }, back: Session]

  // With the cookie. Signing in again, by any of the three, proves afresh who is there.
  'GET session': [sent: Nothing, back: Session]
  'POST session/sign-out': [sent: Nothing, back: Nothing]
  'POST session/sign-out-everywhere': [sent: Nothing, back: Nothing]
  'GET you': [sent: Nothing, back: You]
  /** Needs proof. Answers PublicKeyCredentialCreationOptionsJSON. */
  'POST passkeys/options': [sent: Nothing, back: object]
  /** Needs proof. RegistrationResponseJSON. */
  'POST passkeys/add': [sent: { name: string; response: object }, back: You]
  /** Needs proof. */
  'POST passkeys/remove': [sent: { id: string }, back: You]
  /** Newest first, 100 at most. */
  'GET audit': [sent: Nothing, back: { acts: AuditedAct[] }]

  /** `days`: 7, 28, 90 or 365. */
  'GET today': [sent: { days: number }, back: Today]

  'POST people/search': [sent: PeopleSearch, back: PeopleFound]
  'GET people/:id': [sent: Nothing, back: Person]
  /** Each act on a person sends the version it was made for; another one is answered with 409 `changed`. */
  'POST people/:id/send-again': [sent: Versioned, back: Person]
  'POST people/:id/correct': [sent: Versioned & { address: string }, back: Person]
  'POST people/:id/unsubscribe': [sent: Versioned, back: Person]
  /** Undoes the owner's own unsubscribing, until `canPutBackUntil`. */
  'POST people/:id/put-back': [sent: Versioned, back: Person]
  /** Needs proof. `isProved` false: the last traces leave the database files within the hour. */
  'POST people/:id/erase': [sent: Versioned, back: { isProved: boolean }]

  'GET mail': [sent: Nothing, back: MailState]
  /** The next page has numbers `below` the last one. Waiting mail comes oldest first, all of it up to 200, the rest newest first. */
  'GET mail/list': [sent: { state: MailGroup; below?: number }, back: { mails: Mail[]; hasMore: boolean }]
  /** Sends waiting or failed mails now. Those that cannot be retried any more are left out of `retried`. */
  'POST mail/retry': [sent: { ids: number[] }, back: { retried: number[] }]

  /** Starts one, unless one is running. */
  'POST check-up/start': [sent: { testMail: boolean }, back: CheckUp]
  'GET check-up': [sent: Nothing, back: CheckUp]

  'GET announcements': [sent: Nothing, back: Announcements]
  'POST announcements/preview': [sent: AnnouncementText, back: AnnouncementPreview]
  /**
   * Answers the mail's HTML as text/html instead of JSON: under trusted types only XMLHttpRequest parses it. Each `style`
   * attribute is named `data-style`, each style element is a `<template>`: the policy refuses them until script sets them.
   */
  'POST announcements/preview-page': [sent: AnnouncementText, back: never]
  'POST announcements/test': [sent: AnnouncementText, back: Nothing]
  /** Needs proof. */
  'POST announcements/start': [
    sent: AnnouncementText & { to: Audience; perHour?: number },
    back: Announcements,
  ]
  'POST announcements/pause': [sent: { version: string }, back: Announcements]
  /** Needs proof. */
  'POST announcements/resume': [sent: { version: string }, back: Announcements]
  'POST announcements/cancel': [sent: { version: string }, back: Announcements]

  /** Needs proof. Answers a file instead of JSON. `consentedOnly` goes before `who`. */
  'POST export': [sent: ExportWish, back: never]
}

/** An empty object. */
type Nothing = { [field: string]: never }

/** The body of every answer but 200: 401, 403, 404, 409 (changed, impossible), 415, 422 (invalid), 503 (database-away) or 500. */
export interface DeskError {
  error: {
    code:
      | 'signed-out'
      | 'wrong-proof' // code, link or passkey
      | 'foreign-origin'
      | 'proof-needed' // the last one is older than 15 minutes
      | 'not-found'
      | 'changed' // elsewhere, since `version`
      | 'impossible' // `message` says why
      | 'invalid' // a field of the request
      | 'database-away'
      | 'failed' // a fault of the server
    /** A sentence. */
    message: string
    /** With `wrong-proof` of a code; 0: it is used up. */
    triesLeft?: number
    /** With `changed` of a person. */
    now?: Person
  }
}

export interface SignInOffer {
  hasPasskeys: boolean
  /** Mail is stuck: a code may not arrive. */
  isMailStuck: boolean
}

export interface CodeAsked {
  /** When the code expires. */
  endsAt: number
  /** From then on another one may be asked for. */
  nextAt: number
}

export interface Session {
  signedInAt: number
  /** Code, link or passkey, last. Acts that need proof take it for 15 minutes. */
  provedAt: number
  proofEndsAt: number
}

export interface You {
  ownerEmail: string
  passkeys: { id: string; name: string; madeAt: number; usedAt: number | null }[]
  /** The newest first. */
  browsers: { isThis: boolean; browser: string; signedInAt: number; seenAt: number }[]
}

export interface AuditedAct {
  at: number
  /** Such as `signed-in`, `person-erased`, `mail-retried`. */
  act: string
  /** Such as the number of a person or a version. Never an address. */
  about: string
}

export type { Reason }

export interface MailTroubleNow {
  /** `stuck`: none goes out. `late`: less goes out than is queued. */
  kind: 'stuck' | 'late'
  since: number
  reason: Reason
}

export interface Today {
  at: number
  mail: { trouble: MailTroubleNow | null; lastSentAt: number | null }
  waiting: { count: number; oldestQueuedAt: number | null; nextTryAt: number | null }
  database: { engine: 'sqlite' | 'postgres'; answeredInMs: number }
  /** Null: the database is elsewhere. */
  disk: { freeBytes: number; isLow: boolean } | null
  alarms: AlarmFinding[]
  lastSignUpAt: number | null
  /** Under way. Without byHour, returned and reasons. */
  announcement: Announcement | null
  /** `views` are those of the landing page that reached this server. */
  period: Summary
  before: Summary
  plot: SignUpPlot
}

export interface SignUpPlot {
  /** The last 365 and 21 days before them. Every list of numbers has as many entries. */
  days: string[]
  all: number[]
  /** By form, then the five largest campaigns of the period, then `other` for the rest. `none`: no campaign was named. */
  rows: { of: 'form' | 'campaign'; name: string; inPeriod: number; byDay: number[] }[]
  releases: { version: string; day: string }[]
}

export interface PeopleSearch {
  /** Any part of an address. */
  text?: string
  who?: Who
  /** First and last day of sign-up. */
  from?: string
  to?: string
  /** `none`: none was named. */
  campaign?: string
  /** The number of the last person shown, for older ones; of the first, for newer ones. */
  below?: number
  above?: number
}

export type Who = 'everyone' | 'active' | 'wants-news' | 'left' | 'undeliverable'

export interface PeopleFound {
  /** Newest first, 50 at most. */
  people: PersonRow[]
  /** All who match, and how many of them are newer than the first of `people`. */
  total: number
  newer: number
  counts: { active: number; wantNews: number; left: number; undeliverable: number }
  /** For the pick, by size, 50 at most. */
  campaigns: string[]
}

export interface PersonRow {
  id: number
  address: string
  state: 'active' | 'unsubscribed' | 'undeliverable'
  wantsNews: boolean
  form: string | null
  campaign: string | null
  /** The newest mail to them. Null: none. */
  mail: { state: MailStateOfOne; at: number } | null
  signedUpAt: number
}

export interface Versioned {
  version: string
}

export interface Person extends Omit<PersonRow, 'mail'>, Versioned {
  wantsNewsSince: number | null
  language: string | null
  /** The words that stood before them, as JSON. */
  wording: { hash: string; content: string } | null
  /** The newest first. */
  mails: Mail[]
  canSendAgain: boolean
  canPutBackUntil: number | null
}

export type MailStateOfOne = 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'
export type MailGroup = 'waiting' | 'failed' | 'sent'

export interface Mail {
  id: number
  personId: number
  address: string
  /** `sign-up`, or the version that it announces. */
  kind: string
  state: MailStateOfOne
  queuedAt: number
  /** When it is tried next, while it waits. */
  dueAt: number | null
  finishedAt: number | null
  /** Failed tries. */
  tries: number
  /** The reason of the last failed try. */
  reason: Reason | null
  canRetry: boolean
}

export interface MailState {
  at: number
  trouble: MailTroubleNow | null
  lastSentAt: number | null
  nextTryAt: number | null
  /** `failed`: in the last 7 days. */
  counts: Record<MailGroup, number>
  /** Reasons of waiting mail, the most frequent first. Null before the first try. */
  reasons: { reason: Reason | null; count: number; oneId: number }[]
  /** Mails waiting at the end of each 5 minutes, the last 12 hours; the last entry is now. */
  waitingByFiveMinutes: { at: number; count: number }[]
}

export interface CheckUp {
  state: 'never-run' | 'running' | 'done' | 'broken-off'
  startedAt: number | null
  finishedAt: number | null
  /** In order; while it runs, those that have arrived. */
  sections: { name: string; findings: Finding[] }[]
}

export type Audience = 'consented' | 'everyone'

export interface AnnouncementText {
  version: string
  /** The mail says why it comes. Default: consented. */
  to?: Audience
  /** Empty: the usual one. */
  subject: string
  /** A word of the owner's, of at most 2,000 characters. */
  note: string
}

export interface AnnouncementPreview {
  subject: string
  text: string
}

export interface Announcement {
  version: string
  to: Audience
  state: 'running' | 'paused' | 'paused-automatically' | 'cancelled' | 'done'
  /** The reason of an automatic pause. */
  pausedWhy: string | null
  startedAt: number
  /** Expected while it runs. */
  endsAt: number | null
  /** They add up to `audience`. */
  sent: number
  waiting: number
  failed: number
  leftSince: number
  audience: number
  /** `allowed`: of an hour before a pause, at least what was sent. */
  byHour: { at: number; sent: number; allowed: number }[]
  /** The number returned of the last 500 mails, at some 60 moments. */
  returned: { at: number; returned: number; of: number }[]
  returnedLimit: number
  reasons: { reason: Reason; count: number }[]
}

export interface Announcements {
  /** The newest entry of the release notes. Null: there is none. */
  release: { version: string; date: string; changes: readonly string[]; subject: string } | null
  audiences: Record<Audience, number>
  /** Mails an hour: at first, twice as many each further hour, and at most (a million: there is no ceiling). */
  perHour: { first: number; most: number }
  /** The newest first. */
  all: Announcement[]
}

export interface ExportWish {
  who: Who
  from?: string
  to?: string
  campaign?: string
  tool: 'csv' | ToolName
  consentedOnly: boolean
}
