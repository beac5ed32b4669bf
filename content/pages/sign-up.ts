/** The words of the form, its toasts and its note. **Fixed** marks what the specification sets byte for byte. */
export const signUpText = {
  label: 'Email address',
  /** Fixed. */
  placeholder: 'Enter your email address',
  /** Fixed. */
  processing: 'Processing...',
  /** Fixed. */
  invalid: 'Please enter a valid email address',
  /** Under the field, after a slip such as gmial.com. The address meant stands between the two. */
  suggestion: { before: 'Did you mean ', after: '?' },
  toasts: {
    /** All four fixed. */
    sent: {
      title: 'Success! Check your email for the download link.',
      description: 'The bot script and setup guide are on their way!',
    },
    alreadyOnList: {
      title: "You're already on the list!",
      description: 'Check your inbox for the original email with your download.',
    },
    refused: {
      title: 'Oops! Something went wrong.',
      description: 'Please try again or contact support if the issue persists.',
    },
    unreachable: {
      title: 'Network error occurred.',
      description: 'Please check your connection and try again.',
    },
    /** The part of the description that leads to the support address. */
    supportLink: 'contact support',
    region: 'Notifications',
    dismiss: 'Dismiss',
  },
  /** Under the form, once the mail is on its way. */
  note: {
    heading: 'Check your inbox',
    /** The address stands between the two halves. */
    sent: ['The script and the guide are on their way to ', '.'],
    alreadyOnList: ['', ' is on the list already.'],
    resent: ['We have sent it again to ', '.'],
    /** The next three make one sentence: where to look, and how to get it again. */
    lookAfterSent: 'Nothing after a few minutes? Look in spam',
    lookAfterAlreadyOnList: 'Look for our first email, also in spam',
    /** Once the wait is over: a button in the middle of the sentence. */
    resend: [' or ', 'send it again', '.'],
    resendAfterAlreadyOnList: [', or ', 'send it again', '.'],
    resendLater: ['. We can send it again in ', '.'],
    /** With a time such as "14:05" or "14:05 on Monday", if the wait is longer than an hour: the day's ceiling is reached. */
    resendAtTime: ['. The next one is possible at ', '.'],
    minutes: ['minute', 'minutes'],
    seconds: ['second', 'seconds'],
    /** Before the name of the mail service: Open Gmail. */
    openWebmail: 'Open',
    opensNewTab: '(opens in a new tab)',
  },
} as const
