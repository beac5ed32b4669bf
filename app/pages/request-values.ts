/** The values that the server fills into each page. */
export interface RequestValues {
  landing: NoValues
  'not-found': NoValues
  'opens-soon': NoValues
  'kit-not-found': NoValues
  'result-sent': Values<'address'>
  'result-already-on-list': Values<'address'>
  'result-invalid': Values<'address' | 'form' | 'campaign'>
  'result-slip': Values<'address' | 'meant' | 'form' | 'campaign'>
  'result-error': Values<'address' | 'form' | 'campaign'>
  'result-wait': Values<'address' | 'form' | 'campaign' | 'time'>
  kit: Values<'address' | 'token'>
  announcements: Values<'address' | 'token'>
  news: Values<'token'>
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
}

export type PageName = keyof RequestValues
type NoValues = Readonly<Record<string, never>>
type Values<Name extends string> = Readonly<Record<Name, string>>
