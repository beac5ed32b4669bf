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
   * A change of `label`, `textWhenOff`, `textWhenAsked` or `askButton` makes a new wording: each
   * consent is kept with the words on the screen (app/contract/consent-words.ts). It is for every kind
   * of letter.
   */
  readonly announcements: {
    readonly label: string
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
    askButton: 'Yes, email me',
    off: 'Off',
    on: 'On',
    textWhenOff:
      'First three short letters: your first alert, sideways markets, before real money. Off until you turn it on.',
    textWhenAsked:
      'First three short letters: your first alert, sideways markets, before real money. You can stop in any of those emails.',
    agreed: 'Done. You can stop in any of those emails.',
    textWhenOn: 'On since {day}. Turn it off here or in any of those emails.',
    textAfterLeaving: 'You have left the list, so you get no news from us.',
  },
}
