/** The words around a letter: mail to subscribers that tells of no new version. */
export const letter = {
  /** On the dark plate at the right edge. */
  tag: 'Letter',
  reason: {
    consented: 'You get this email because {address} asked for news.',
    everyone: 'You get this email because we sent the starter kit to {address}.',
  },
  end: 'No more emails like this',
}
