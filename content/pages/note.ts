import { starterEmailText } from '../starter-email.ts'
import { webmailByDomain } from '../webmail.ts'

const { subject } = starterEmailText

/**
 * Under the form, after a sign-up. It must be true behind a relay, after a refusal and of an address that gets no mail. It is a
 * file of its own, because a browser loads it only when a visitor reaches for the form.
 */
export const noteText = {
  /**
   * `{address}`, `{old}`, `{time}` and `{emails}` (a day's most, from `emailCounts`) are filled in. A sentence that holds for an
   * address alone never says that we go on trying, or which server has not taken it.
   */
  views: {
    'on-its-way': {
      heading: 'On its way',
      text: 'The script and the guide are going to {address}. This note says when they have left.',
    },
    'handed-over': {
      heading: 'Handed over',
      text: `The email for {address} left us at {time}. Look for “${subject}”, also in spam.`,
    },
    /** The next two after a corrected address: `{old}` is the first one. */
    cancelled: {
      heading: 'On its way',
      text: 'The script and the guide are going to {address}. The email to {old} is cancelled.',
    },
    left: {
      heading: 'On its way',
      text: 'The script and the guide are going to {address}. The email to {old} had left already.',
    },
    slow: {
      heading: 'Slower than usual',
      text: 'Some mail servers let a new sender wait for a few minutes. You can close this page: the email does not need it.',
    },
    'not-taken': {
      heading: 'Not taken yet',
      text: 'It has not been taken yet. Is the address spelled right?',
    },
    'all-slow': {
      heading: 'Mail is slow right now',
      text: 'This is not about your address. Your email to {address} is kept.',
    },
    again: { heading: 'On its way', text: 'We are sending the email to {address} once more.' },
    'sent-again': {
      heading: 'Sent again',
      text: `A second email for {address} left us at {time}. Look for “${subject}”, also in spam.`,
    },
    ceiling: {
      heading: 'No more emails today',
      text: `{address} has had {emails} from us in 24 hours, and that is the most we send. Look for “${subject}”, also in spam.`,
    },
    change: {
      heading: 'Correct the address above',
      text: 'Then press the button. If the first email has not left yet, we cancel it.',
    },
    listed: {
      heading: 'You are on the list already',
      text: `The email for {address} left us at {time}. Look for “${subject}”, also in spam.`,
    },
    /** The next two with HIDE_ALREADY_EXISTS, where nobody is told if an email is due, nor what became of it. */
    hidden: {
      heading: 'Look in your inbox',
      text: 'If an email is due to {address}, it is on its way. Nothing after a few minutes? Look in spam.',
    },
    'hidden-slow': {
      heading: 'Mail is slow right now',
      text: 'This is not about your address. If an email is due to {address}, it is kept.',
    },
    /** The rest while nothing is known of the mail, as with a backend of another make. */
    sent: {
      heading: 'Check your inbox',
      text: 'The script and the guide are on their way to {address}. Nothing after a few minutes? Look in spam.',
    },
    resent: {
      heading: 'Check your inbox',
      text: 'We have sent it again to {address}. Nothing after a few minutes? Look in spam.',
    },
    known: {
      heading: 'Check your inbox',
      text: '{address} is on the list already. Look for our first email, also in spam.',
    },
  },
  /** Before the button: Not ana@gmial.com? Change it. */
  change: ['Not {address}?', 'Change it'],
  /** Before the address that was probably meant, on a button that sends at once. */
  use: 'Use',
  spelledRight: 'If it is right, wait a little: many servers take a new sender at the second try.',
  leave: 'Leave it as it was',
  /** Once the wait is over, and before. */
  resend: ['Nothing there?', 'Send it again'],
  resendLater: ['We can send it again in ', '.'],
  /** If the wait is longer than an hour. */
  nextMail: ['The next one can leave ', '.'],
  /** A time of today, and of the next day: tomorrow at 12:03. */
  days: ['at ', 'tomorrow at '],
  minutes: ['minute', 'minutes'],
  seconds: ['second', 'seconds'],
  /** Before the name of the mail service: Open Gmail. */
  openWebmail: 'Open',
  webmail: webmailByDomain,
  opensNewTab: '(opens in a new tab)',
} as const

/** A number above the last of `few` is written in digits, with `many`. */
export const emailCounts = { few: ['one email', 'two emails', 'three emails'], many: 'emails' } as const
