/** The words of "What changed" on the personal page. */
export interface WhatChangedTexts {
  readonly heading: string
  /** Instead, over the switch for news, to those who have the newest version. */
  readonly headingOfNews: string
  /** Opens the changes of the version that the visitor came with, if it is the newest. */
  readonly ofVersion: string
  readonly cameWith: string
  readonly hasNewest: string
  /** Marks the version that the visitor came with. */
  readonly yours: string
  /** Instead of the changes of a version without any. */
  readonly firstVersion: string
  readonly oldScript: string
  /**
   * A change of `label`, `covers`, `textWhenOff`, `textWhenAsked` or `askButton` makes a new
   * wording: each consent is kept with the words on the screen (app/contract/consent-words.ts). Whoever agreed to a wording that covers versions only is asked again
   * here, and gets no letters until then; so it is with the series.
   */
  readonly announcements: {
    readonly label: string
    /**
     * The mail that an agreement to these words allows: about new versions, letters as well, or the
     * series of letters too. The words must say so.
     */
    readonly covers: 'versions' | 'news' | 'series'
    /** On the line that asks after a copy or a download, and on the page behind the mail's link. */
    readonly askButton: string
    readonly off: string
    readonly on: string
    readonly textWhenOff: string
    /** Below the question after a copy or a download, and behind the mail's link. */
    readonly textWhenAsked: string
    /** In the place of that question, once it is answered. */
    readonly agreed: string
    readonly textWhenOn: string
    /** To whoever agreed to words that covered versions only. */
    readonly textForVersions: string
    /** To whoever agreed to words that did not tell of the first letters. */
    readonly textForNews: string
    readonly endNews: string
    readonly endVersions: string
    readonly textAfterLeaving: string
  }
}

export const whatChanged: WhatChangedTexts = {
  heading: 'What changed',
  headingOfNews: 'News',
  ofVersion: 'New in {version}',
  cameWith: 'You signed up for version {first}. This page now has {newest}.',
  hasNewest: 'You have version {version}, the newest.',
  yours: 'yours',
  firstVersion: 'The first version.',
  oldScript:
    'Your chart keeps the old script until you paste the new one. An alert keeps its copy until you create a new alert.',
  announcements: {
    label: 'Email me about new versions and new scripts',
    covers: 'series',
    askButton: 'Yes, email me',
    off: 'Off',
    on: 'On',
    textWhenOff:
      'First three short letters: your first alert, sideways markets, before real money. Off until you turn it on.',
    textWhenAsked:
      'First three short letters: your first alert, sideways markets, before real money. You can stop in any of those emails.',
    agreed: 'Done. You can stop in any of those emails.',
    textWhenOn: 'On since {day}. Turn it off here or in any of those emails.',
    textForVersions:
      'Since {day} you have been told about new versions only. Turn it on to hear about the rest too.',
    textForNews: 'You have been getting news since {day}. Turn it on to get the first letters too.',
    endNews: 'No more news',
    endVersions: 'No more news about versions',
    textAfterLeaving: 'You have left the list, so you get no news from us.',
  },
}
