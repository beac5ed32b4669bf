/**
 * Something else that you make. It stands on the personal page after the switch for news, and as
 * one line in the mail.
 */
export interface Offer {
  readonly title: string
  readonly text: string
  readonly linkText: string
  /** The link leads straight there: it is not rewritten, and nobody is counted. */
  readonly url: string
}

/** It is undefined if nothing stands there. */
export const offer: Offer | undefined = undefined
