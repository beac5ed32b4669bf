/** The values that the server fills into each page. */
export interface RequestValues {
  landing: NoValues
  'not-found': NoValues
  'opens-soon': NoValues
  'kit-not-found': NoValues
  'result-sent': Values<'address'>
  'result-already-on-list': Values<'address'>
  failure: NoValues
  privacy: Values<'mailService' | 'others' | 'traces'>
  elsewhere: Values<'path'>
  'result-invalid': Values<'address' | 'form' | 'campaign'>
  'result-slip': Values<'address' | 'meant' | 'form' | 'campaign'>
  'result-error': Values<'address' | 'form' | 'campaign'>
  'result-wait': Values<'address' | 'form' | 'campaign' | 'time'>
  kit: Values<'address' | 'token' | 'wording'>
  announcements: Values<'address' | 'token'>
  news: Values<'token' | 'wording'>
  unsubscribe: Values<'address' | 'token'>
  unsubscribed: Values<'address' | 'token'>
  block: Values<'address' | 'token'>
  blocked: Values<'token'>
  unblocked: NoValues
  erased: NoValues
  'erased-until-overwritten': NoValues
}

/** The parts that the server puts into the personal page, as HTML. */
export interface KitParts {
  readonly whatChanged: string
  readonly leaving: string
  readonly testAddress: string
}

export type PageName = keyof RequestValues

/**
 * The visitor's consent to news, on the personal page. The server puts in the part
 * `what-changed-VERSION-STATE` and fills in {token}, {since}, the day of the consent, and {wording}, the hash of the words.
 */
export const announcementStates = ['on', 'off', 'left'] as const
export type AnnouncementState = (typeof announcementStates)[number]

type NoValues = Readonly<Record<string, never>>
type Values<Name extends string> = Readonly<Record<Name, string>>
