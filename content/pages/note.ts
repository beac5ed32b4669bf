/**
 * Under the form, after a sign-up. It must be true behind a relay and after a refusal. `{subject}`
 * is that of the mail, `{brand}` the name in brand.ts.
 */
export interface NoteTexts {
  /**
   * No sentence says that we go on trying, or which server has not taken the mail: it would tell
   * whether a mailbox exists.
   */
  readonly views: {
    readonly 'on-its-way': NoteViewTexts
    /** The time stands beside the heading. */
    readonly sent: NoteViewTexts
    /** After "Send it again". */
    readonly 'sent-again': NoteViewTexts
    readonly slow: NoteViewTexts
    readonly 'not-taken': NoteViewTexts
    readonly 'all-slow': NoteViewTexts
    readonly listed: NoteViewTexts
    /**
     * While nothing is known of the mail, as with HIDE_ALREADY_EXISTS or a backend of another make.
     */
    readonly inbox: NoteViewTexts
  }
  readonly change: {
    readonly question: string
    readonly button: string
  }
  /** Once the wait is over. */
  readonly resend: {
    readonly question: string
    readonly button: string
  }
  /** Before that. The time is one of the two below. */
  readonly resendLater: string
  readonly time: {
    readonly today: string
    readonly tomorrow: string
  }
  /** Leads to the visitor's own mail service, such as Gmail. */
  readonly openWebmail: string
  readonly opensNewTab: string
}

interface NoteViewTexts {
  readonly heading: string
  readonly text: string
}

export const note: NoteTexts = {
  views: {
    'on-its-way': {
      heading: 'On its way',
      text: 'The script and the guide are going to {address}. We’ll tell you here when the email has been sent.',
    },
    sent: {
      heading: 'Sent',
      text: 'Look for “{subject}” from {brand}. Not there? Check your spam folder.',
    },
    'sent-again': {
      heading: 'Sent again',
      text: 'We’ve sent it again to {address}. Look for “{subject}” from {brand}. Not there? Check your spam folder.',
    },
    slow: {
      heading: 'Slower than usual',
      text: 'Some mail services hold a first message for a few minutes. You can close this page; we will still send the email.',
    },
    'not-taken': {
      heading: 'Not taken yet',
      text: 'Is {address} spelled right? If it is, wait a little: many servers accept a new sender only on the second try.',
    },
    'all-slow': {
      heading: 'Mail is slow right now',
      text: 'Your address is fine. We will send your email to {address} as soon as mail works again. You can close this page.',
    },
    listed: {
      heading: 'You’re already on the list',
      text: 'Look for “{subject}” from {brand}. Not there? Check your spam folder.',
    },
    inbox: {
      heading: 'Check your inbox',
      text: 'It can take a few minutes. Look for “{subject}” from {brand}. Not there? Check your spam folder.',
    },
  },
  change: {
    question: 'Not {address}?',
    button: 'Change it',
  },
  resend: {
    question: 'Nothing there?',
    button: 'Send it again',
  },
  resendLater: 'Nothing yet? You can ask again {time}.',
  time: {
    today: 'at {clock}',
    tomorrow: 'tomorrow at {clock}',
  },
  openWebmail: 'Open {webmail}',
  opensNewTab: '(opens in a new tab)',
}
