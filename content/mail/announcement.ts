/** The words of the mail about a new version. */
export interface AnnouncementTexts {
  readonly subject: string
  /** Mail programs show it after the subject, before the mail is opened. */
  readonly preview: string
  readonly heading: string
  readonly changes: string
  readonly button: string
  readonly reason: {
    readonly consented: string
    readonly everyone: string
  }
  readonly end: string
}

export const announcement: AnnouncementTexts = {
  subject: 'Version {version} of your starter kit',
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
