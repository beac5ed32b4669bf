import { brand } from '../brand.ts'
import { starterEmailText } from '../starter-email.ts'

const lookFor = `Look for “${starterEmailText.subject}” from ${brand.name}, also in spam.`

/**
 * Under the form, after a sign-up, and on the receipt's page without JavaScript. It must be true
 * behind a relay and after a refusal.
 */
export const noteText = {
  /**
   * `{address}` is filled in. No sentence says that we go on trying, or which server has not taken
   * the mail: it would tell whether a mailbox exists.
   */
  views: {
    'on-its-way': {
      heading: 'On its way',
      text: 'The script and the guide are going to {address}. This note says when they have left.',
    },
    /** The time stands beside the heading. */
    sent: { heading: 'Sent', text: lookFor },
    slow: {
      heading: 'Slower than usual',
      text: 'Some mail servers make a new sender wait for a few minutes. You can close this page; the email is sent all the same.',
    },
    'not-taken': {
      heading: 'Not taken yet',
      text: 'Is {address} spelled right? If it is, wait a little: many servers accept a new sender only at the second try.',
    },
    'all-slow': {
      heading: 'Mail is slow right now',
      text: 'Your address is fine. We send your email to {address} as soon as mail works again. You can close this page.',
    },
    listed: { heading: 'You are on the list already', text: lookFor },
    /**
     * While nothing is known of the mail, as with HIDE_ALREADY_EXISTS or a backend of another make.
     */
    inbox: { heading: 'Check your inbox', text: `It can take a few minutes. ${lookFor}` },
  },
  /**
   * The address stands between the first two, the button is the third: Not ana@gmial.com? Change
   * it.
   */
  change: ['Not ', '?', 'Change it'],
  /** Once the wait is over; the button is the second. */
  resend: ['Nothing there?', 'Send it again'],
  /** Before that; the time stands between the two. */
  resendLater: ['We can send it again ', '.'],
  /** Before a time: of today, and of the next day. */
  days: ['at ', 'tomorrow at '],
  /** Before the name of the mail service: Open Gmail. */
  openWebmail: 'Open',
  opensNewTab: '(opens in a new tab)',
} as const
