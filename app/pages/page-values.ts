import type { StaticParts } from './static-part.tsx'

/** A page gets these values from the build, the server, or the form that it answers: the data attributes of body and #app. */
export interface PageValues {
  /** Without the function's name. A path on our own origin, or a whole address elsewhere. */
  functionsUrl: string
  anonKey: string
  supportEmail: string
  resendAfterSeconds: string
  /** As posted without JavaScript, on the pages that give the form back; empty on others. */
  address: string
  form: string
  campaign: string
}

export interface PageProps {
  values: PageValues
  parts: StaticParts
}

const fixed = { functionsUrl: '', anonKey: '', supportEmail: '', resendAfterSeconds: '' }

/** A value that is not given is empty. */
export function pageValues(given: Readonly<Record<string, string | undefined>>): PageValues {
  return { ...fixed, address: '', form: '', campaign: '', ...given }
}
