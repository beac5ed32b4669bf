/** One version of our script and its guide. */
export interface KitRelease {
  /** As in the script's header. */
  readonly version: string
  /** YYYY-MM-DD. */
  readonly date: string
  /** One sentence each, for people who have the version before. */
  readonly changes: readonly string[]
}

/**
 * The newest first: its version is that of the script, or the build stops. The personal page and
 * the guide's last page list them. With a script of your own, replace them by its versions; they
 * count once the newest has its version and date.
 */
export const releases: readonly KitRelease[] = [
  {
    version: '1.3.0',
    date: '2026-11-24',
    changes: [
      'New input *Trend length*, off: a long average that filters entries.',
      '*Flat at the end of the session* also leaves where the bar before the last one is missing, and says when bars are too long for it.',
    ],
  },
  {
    version: '1.2.0',
    date: '2026-11-23',
    changes: [
      'New input *Flat at the end of the session*: a position is closed at the open of the session’s last bar, and none is opened there. Off, a cross in the last bar opens at the next day’s open, as before.',
      'New input *Send stop and target to the bridge*: the message of an entry has both, for TradersPost and PineConnector, so that your broker holds the stop too.',
      'Both are off. If you turn one on, delete the old alert and create a new one.',
    ],
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    changes: [
      'The JSON message sends `signalPrice` instead of `price`: TradersPost can make a limit order of a `price`, depending on the subscription. If your own server reads `price`, change it there.',
      'The template for PineConnector gives the size in lots, `vol_lots=0.01`. The unit of `risk=1` depended on the settings of the EA.',
      'An alert keeps the script it was made with: paste the new script, then delete the old alert and create a new one.',
    ],
  },
  { version: '1.0.0', date: '2026-11-21', changes: [] },
]

/** The words of "What changed" on the personal page. */
export const whatChanged = {
  heading: 'What changed',
  /** Opens the changes of the version that the visitor came with, if it is the newest. */
  ofVersion: (version: string) => `New in ${version}`,
  cameWith: (first: string, newest: string) =>
    `You signed up for version ${first}. This page now has ${newest}.`,
  hasNewest: 'You have the newest version.',
  /** Marks the version that the visitor came with. */
  yours: 'yours',
  /** Instead of the changes of a version without any. */
  firstVersion: 'The first version.',
  oldScript:
    'Your chart keeps the old script until you paste the new one. An alert keeps its copy until you create a new alert.',
  /**
   * A change of `label`, `covers` or `textWhenOff` makes a new wording: each consent is kept with
   * the words it was given to. Whoever agreed to a wording that covers versions only is asked again
   * here, and gets no letters until then.
   */
  announcements: {
    label: 'Tell me about new versions, and now and then what else I make',
    /** What an agreement to these words allows: mail about new versions, or letters as well. */
    covers: 'news' as 'versions' | 'news',
    off: 'Off',
    on: 'On',
    textWhenOff: 'Off unless you turn it on. You can turn it off here or in any of those emails.',
    /** The day stands between the two halves, here and below. */
    textWhenOn: ['On since ', '. Turn it off here or in any of those emails.'],
    /** To whoever agreed to words that covered versions only. */
    textForVersions: [
      'Since ',
      ' you hear of new versions only. Turn it on to hear of the rest too.',
    ],
    endVersions: 'No more news of versions',
    textAfterLeaving: 'You have left the list, so you get no news from us.',
  },
} as const

/** The words of the mail about a new version. */
export const announcementText = {
  subject: (version: string) => `Version ${version} of your starter kit`,
  /** Mail programs show it after the subject, before the mail is opened. */
  preview: 'What is new, and the link to your page. Your script keeps working.',
  heading: (version: string) => `Version ${version} is out.`,
  changes: 'What is new in it:',
  button: 'Open your page',
  /** The address stands between the two halves. */
  reason: {
    consented: ['You get this email because ', ' asked to be told of new versions.'],
    everyone: ['You get this email because we sent the starter kit to ', '.'],
  },
  end: 'No more news of versions',
} as const

/** 5 December 2026, in UTC. */
export function dayInWords(day: string | number): string {
  return new Date(day).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}
