/**
 * Under the form, after a sign-up. It must be true behind a relay and after a refusal. `{subject}`
 * is that of the mail, `{brand}` the name in brand.ts.
 */
export const note = {
  /**
   * No sentence says that we go on trying, or which server has not taken the mail: it would tell
   * whether a mailbox exists.
   */
  views: {
    'on-its-way': {
      heading: 'On its way',
      text: 'The script and the guide are going to {address}. This note says when they have left.',
    },
    /** The time stands beside the heading. */
    sent: { heading: 'Sent', text: 'Look for “{subject}” from {brand}, also in spam.' },
    /** After "Send it again". */
    'sent-again': {
      heading: 'Sent again',
      text: 'A second email has left for {address}. Look for “{subject}” from {brand}, also in spam.',
    },
    slow: {
      heading: 'Slower than usual',
      text: 'Some mail servers make a new sender wait for a few minutes. You can close this page; we will still send the email.',
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
      heading: 'You are on the list already',
      text: 'Look for “{subject}” from {brand}, also in spam.',
    },
    /**
     * While nothing is known of the mail, as with HIDE_ALREADY_EXISTS or a backend of another make.
     */
    inbox: {
      heading: 'Check your inbox',
      text: 'It can take a few minutes. Look for “{subject}” from {brand}, also in spam.',
    },
  },
  change: { question: 'Not {address}?', button: 'Change it' },
  /** Once the wait is over. */
  resend: { question: 'Nothing there?', button: 'Send it again' },
  /** Before that. The time is one of the two below. */
  resendLater: 'We can send it again {time}.',
  time: { today: 'at {clock}', tomorrow: 'tomorrow at {clock}' },
  /** Leads to the visitor's own mail service, such as Gmail. */
  openWebmail: 'Open {webmail}',
  opensNewTab: '(opens in a new tab)',
}
