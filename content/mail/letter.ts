/** The words around a letter: mail to subscribers that tells of no new version. */
export interface LetterTexts {
  /** On the dark plate at the right edge. */
  readonly tag: string
  readonly reason: {
    readonly consented: string
    readonly everyone: string
  }
  readonly end: string
}

export const letter: LetterTexts = {
  tag: 'Letter',
  reason: {
    consented: 'You get this email because {address} asked for news.',
    everyone: 'You get this email because we sent the starter kit to {address}.',
  },
  end: 'No more emails like this',
}
