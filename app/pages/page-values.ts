import type { StaticParts } from './static-part.tsx'

/** Known only by the running server: the build writes placeholders, the server fills them, the browser reads them. */
export interface PageValues {
  /** Without the function's name. A path on our own origin, or a whole address elsewhere. */
  functionsUrl: string
  anonKey: string
  supportEmail: string
  resendAfterSeconds: number
  /** The most that an address gets, in words. */
  mailsADay: string
  /** Address of the module with the words of the note. */
  noteModule: string
  /** As posted without JavaScript, on the pages that give the form back; empty on others. */
  address: string
  form: string
  campaign: string
}

export interface PageProps {
  values: PageValues
  parts: StaticParts
}

export function readPageValues({ body }: Document, app: HTMLElement): PageValues {
  const {
    functionsUrl = '',
    anonKey = '',
    supportEmail = '',
    mailsADay = '',
    noteModule = '',
    ...rest
  } = body.dataset
  const { address = '', form = '', campaign = '' } = app.dataset
  const resendAfterSeconds = Number(rest.resendAfterSeconds)
  const fixed = { functionsUrl, anonKey, supportEmail, mailsADay, noteModule, resendAfterSeconds }
  return { ...fixed, address, form, campaign }
}
