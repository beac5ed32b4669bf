/**
 * The words of the form, its toasts and its note. **Fixed** marks what the specification sets byte
 * for byte.
 */
export interface SignUpTexts {
  readonly label: string
  /** Fixed. */
  readonly placeholder: string
  /** Fixed. */
  readonly processing: string
  /** Fixed. */
  readonly invalid: string
  /**
   * Under the field, before an address with a slip such as gmial.com is sent.
   */
  readonly slip: {
    /** `{meant}`: the address that was probably meant, `{typed}`: the one that was typed. */
    readonly question: string
    readonly use: string
    readonly keep: string
  }
  /** Under the field, when the server takes no more sign-ups for a while. */
  readonly wait: string
  readonly toasts: {
    /** All four fixed. */
    readonly sent: ToastTexts
    readonly alreadyOnList: ToastTexts
    readonly refused: ToastTexts
    readonly unreachable: ToastTexts
    /** Leads to the support address. Fixed. */
    readonly contactSupport: string
    readonly region: string
    readonly dismiss: string
  }
}

interface ToastTexts {
  readonly title: string
  readonly description: string
}

export const signUp: SignUpTexts = {
  label: 'Email address',
  placeholder: 'Enter your email address',
  processing: 'Processing...',
  invalid: 'Please enter a valid email address',
  slip: {
    question: 'Did you mean {meant}?',
    use: 'Yes, use it',
    keep: 'No, keep {typed}',
  },
  wait: 'Too many sign-ups right now. Try again {time}.',
  toasts: {
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
    contactSupport: 'contact support',
    region: 'Notifications',
    dismiss: 'Dismiss',
  },
}
