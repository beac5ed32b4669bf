/** The words around a letter: mail to subscribers that tells of no new version. */
export const letterText = {
  /** On the dark plate at the right edge. */
  tag: 'Letter',
  /** The address stands between the two halves. */
  reason: {
    consented: ['You get this email because ', ' asked for news.'],
    everyone: ['You get this email because we sent the starter kit to ', '.'],
  },
  end: 'No more emails like this',
} as const
