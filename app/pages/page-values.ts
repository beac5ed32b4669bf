import type { noteText } from '#content/pages/sign-up.ts'
import type { StaticParts } from './static-part.tsx'

/** Known only by the running server: the build writes placeholders, the server fills them, the browser reads them. */
export interface PageValues {
  /** Without the function's name. A path on our own origin, or a whole address elsewhere. */
  functionsUrl: string
  anonKey: string
  supportEmail: string
  resendAfterSeconds: number
  noteText: NoteText
  /** As posted without JavaScript, on the pages that give the form back; empty on others. */
  address: string
  form: string
  campaign: string
}

export type NoteText = typeof noteText

export interface PageProps {
  values: PageValues
  parts: StaticParts
}

export function readPageValues({ body }: Document, app: HTMLElement): PageValues {
  const {
    functionsUrl = '',
    anonKey = '',
    supportEmail = '',
    resendAfterSeconds,
    noteText = '{}',
  } = body.dataset
  const { address = '', form = '', campaign = '' } = app.dataset
  const fixed = { functionsUrl, anonKey, supportEmail, resendAfterSeconds: Number(resendAfterSeconds) }
  return { ...fixed, noteText: JSON.parse(noteText), address, form, campaign }
}
