/** The landing page gets these from the server: the data attributes of #app. */
export interface PageValues {
  /** Without the function's name. A path on our own origin, or a whole address elsewhere. */
  functionsUrl: string
  anonKey: string
  supportEmail: string
}
