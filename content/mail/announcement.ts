/** The words of the mail about a new version. */
export const announcement = {
  subject: 'Version {version} of your starter kit',
  /** Mail programs show it after the subject, before the mail is opened. */
  preview: 'What is new, and the link to your page. Your script keeps working.',
  heading: 'Version {version} is out.',
  changes: 'What is new in it:',
  button: 'Open your page',
  reason: {
    consented: 'You get this email because {address} asked to hear about new versions.',
    everyone: 'You get this email because we sent the starter kit to {address}.',
  },
  end: 'No more news about versions',
}
