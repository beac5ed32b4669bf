import type { Audience } from '../announcements/announcements.ts'
import type { Refused, RawAnswer } from './call.ts'
import type { routes } from './desk.ts'
import type { Fields, Sent } from './fields.ts'
import type { checkUp } from './routes/check-up.ts'
import type { describeMails, MailGroup } from './routes/mail.ts'
import type { readPerson, Who } from './routes/people.ts'

// The API as the pages know it, taken from the routes that answer it. Types only: nothing of the server gets into the pages.
// Times are ms since 1970, days are UTC (`2026-11-22`), shares are of 1.

type Api = typeof routes

/** The request, and the answer with status 200. A GET sends its fields as a query. */
export type DeskApi = {
  [Name in keyof Api]: [
    sent: Api[Name] extends { sent?: infer Shape extends Fields } ? Sent<Shape> : never,
    back: Exclude<Awaited<ReturnType<Api[Name]['answer']>>, Refused | RawAnswer>,
  ]
}
export type SentTo<Name extends keyof DeskApi> = DeskApi[Name][0]
export type Back<Name extends keyof DeskApi> = DeskApi[Name][1]

/** The body of every other answer. The message is a sentence. */
export interface DeskError {
  error: Omit<Refused['error'], 'now'> & { now?: Person }
}

export type Session = Back<'GET session'>

export type Today = Back<'GET today'>

export type PeopleSearch = SentTo<'POST people/search'>
export type PeopleFound = Back<'POST people/search'>
export type PersonRow = PeopleFound['people'][number]
export type Person = NonNullable<Awaited<ReturnType<typeof readPerson>>>
export type ExportWish = SentTo<'POST export'>

export type Mail = Awaited<ReturnType<typeof describeMails>>[number]
export type MailState = Back<'GET mail'>

export type CheckUp = typeof checkUp

export type AnnouncementText = SentTo<'POST announcements/preview'>
export type Announcements = Back<'GET announcements'>
export type Announcement = Announcements['all'][number]

export type { Audience, MailGroup, Who }
