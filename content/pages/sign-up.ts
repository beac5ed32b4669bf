/**
 * The words of the form, its toasts and its note. **Fixed** marks what the specification sets byte
 * for byte.
 */
export const signUp = {
  label: 'Email address',
  /** Fixed. */
  placeholder: 'Enter your email address',
  /** Fixed. */
  processing: 'Processing...',
  /** Fixed. */
  invalid: 'Please enter a valid email address',
  /**
   * Under the field, before an address with a slip such as gmial.com is sent.
   */
  slip: { question: 'Spelled right?', use: 'Use {address}', keep: 'No, it is right' },
  /** Under the field, when the server takes no more sign-ups for a while. */
  wait: 'Too many sign-ups right now. Try again {time}.',
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
      description: 'Please try again or {contactSupport} if the issue persists.',
    },
    unreachable: {
      title: 'Network error occurred.',
      description: 'Please check your connection and try again.',
    },
    /** Leads to the support address. Fixed. */
    contactSupport: 'contact support',
    region: 'Notifications',
    dismiss: 'Dismiss',
  },
}
