/** Every document the build renders. */
export type PageName =
  | 'landing'
  | 'not-found'
  | 'result-sent'
  | 'result-already-on-list'
  | 'result-invalid'
  | 'result-error'
  | 'kit'
  | 'unsubscribe'
  | 'unsubscribed'
  | 'erased'

/** What only the running server knows. The build writes placeholders, the server fills them, the browser reads them back. */
export interface PageValues {
  anonKey: string
  supportEmail: string
  resendAfterSeconds: number
  /** As typed in the form that was posted, or whose personal link it is; empty on the landing page. */
  address: string
  /** Which form was posted without JavaScript, on the page that gives it back; empty on others. */
  form: string
  /** And the source of the page it was posted from, as it will be counted; empty on others. */
  source: string
}

export function readPageValues({ body }: Document, app: HTMLElement): PageValues {
  const { anonKey = '', supportEmail = '', resendAfterSeconds } = body.dataset
  return {
    anonKey,
    supportEmail,
    resendAfterSeconds: Number(resendAfterSeconds),
    address: app.dataset.address ?? '',
    form: app.dataset.form ?? '',
    source: app.dataset.source ?? '',
  }
}
