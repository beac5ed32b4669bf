/**
 * The words of the one mail we send, from top to bottom. What a step says must be true of the guide
 * and of TradingView.
 */
export interface StarterEmailTexts {
  /**
   * A change of it, or of any word below, goes out with the next mail; mails that are waiting keep
   * theirs.
   */
  readonly subject: string
  /** Mail programs show it after the subject, before the mail is opened. */
  readonly preview: string
  readonly heading: string
  readonly opening: string
  /**
   * Leads to the personal page, where the script can be copied or the link be sent on to a
   * computer.
   */
  readonly pageButton: string
  readonly scriptDescription: string
  readonly scriptButton: string
  readonly guideDescription: string
  readonly guideButton: string
  readonly personalPage: string
  /** Leads to the personal page. */
  readonly yourPage: string
  readonly announcements: string
  readonly stepsHeading: string
  /** As many as you like, each a short line. */
  readonly steps: readonly string[]
  /** The last line before the signature. Its link leads to a page with one button. */
  readonly news: string
  readonly newsLink: string
  readonly help: string
  readonly risk: string
  readonly reason: string
  /** Leads to the page that takes the address off the list. */
  readonly unsubscribe: string
  /** Leads to a page with one button, which blocks the inbox. */
  readonly notAskedLink: string
}

export const starterEmail: StarterEmailTexts = {
  subject: 'Your free bot: script and setup guide',
  preview: 'Two files and a five-step start. The links don’t expire.',
  heading: 'Here is your bot.',
  opening:
    'You asked for the {script} script and its setup guide. Both are on your own page. The links don’t expire.',
  pageButton: 'Open the script',
  scriptDescription: 'The full Pine script',
  scriptButton: 'Download script',
  guideDescription: 'The 10-minute setup guide',
  guideButton: 'Download guide',
  personalPage: 'Also on {yourPage}: the guide online, and checksums for both files.',
  yourPage: 'your page',
  announcements: 'This is the only email you’ll get, unless you ask for more on that page.',
  stepsHeading: 'Start here',
  steps: [
    'Open your page on your computer and press Copy script.',
    'In TradingView, open a chart, then the Pine Editor. Paste, and press Add to chart.',
    'Compare the two lines with page 4 of the guide.',
    'Leave it on the chart. There it only simulates trades. No order is sent anywhere.',
    'Try an alert on 1-minute bars, then create the real one. TradingView’s free plan may have no alerts on strategies, and a webhook needs a paid plan.',
  ],
  news: 'Want to hear when there’s a new version? {newsLink}',
  newsLink: 'Yes, email me',
  help: 'Stuck on a step? Reply to this email and tell me which one.',
  risk: 'Trading involves risk. You can lose some or all of the money you trade with. The script and the guide are educational material, not investment advice.',
  reason:
    'You get this email because {address} was entered at {site} on {date}. Not you? Ignore it, or {unsubscribe}.',
  unsubscribe: 'unsubscribe',
  notAskedLink: 'I did not ask for this',
}
