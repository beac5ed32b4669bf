/**
 * The pages that answer a form posted without JavaScript, beside the words of the toasts, and those
 * behind the mail's unsubscribe link.
 */
export interface ResultPageTexts {
  /** In the place of the page until you open it. */
  readonly opensSoon: {
    /** Fixed. */
    readonly heading: string
    readonly text: string
  }
  /** The mail is on its way. */
  readonly sent: {
    readonly note: string
  }
  readonly alreadyOnList: {
    readonly note: string
  }
  /** Behind the link of a mail with news. Asks before it happens. */
  readonly announcements: QuestionTexts
  /** Behind the mail's question for consent. The words of the switch stand below the heading. */
  readonly news: {
    readonly heading: string
    readonly link: string
  }
  /** Asks before it happens. */
  readonly unsubscribe: QuestionTexts
  readonly unsubscribed: {
    readonly heading: string
    readonly text: string
    /** Takes the step back. */
    readonly button: string
  }
  /** Behind "I did not ask for this" in the mail. Asks before it happens. */
  readonly block: QuestionTexts
  readonly blocked: {
    readonly heading: string
    readonly text: string
    readonly button: string
  }
  readonly unblocked: {
    readonly heading: string
    readonly text: string
  }
  readonly erased: {
    readonly heading: string
    readonly text: string
    /** In the place of `text`, with PostgreSQL or a large file: those are not rewritten. */
    readonly textWhenOverwritten: string
  }
  /** A form of a page that was opened at another name of the site. A link to this one follows. */
  readonly elsewhere: {
    readonly heading: string
    readonly text: string
  }
  /** The value is not an email address: the form again. */
  readonly invalid: {
    readonly heading: string
    readonly text: string
    /** Read out by screen readers, not shown. */
    readonly formName: string
  }
  /** A likely slip in the address, such as gmial.com: below the question and above the buttons. */
  readonly slip: {
    readonly text: string
  }
  /** The form again, below the words of the toast. */
  readonly error: {
    /** Read out by screen readers, not shown. */
    readonly formName: string
  }
}

interface QuestionTexts {
  readonly heading: string
  readonly text: string
  readonly button: string
  /** Leads away without an answer. */
  readonly link: string
}

export const resultPages: ResultPageTexts = {
  opensSoon: {
    heading: 'This page opens soon.',
    text: 'Come back in a little while.',
  },
  sent: {
    note: 'On its way to {address}. Nothing after a few minutes? Check your spam folder, or ask for it again from the home page.',
  },
  alreadyOnList: {
    note: '{address} is already on the list. Look for our first email. Not there? Check your spam folder.',
  },
  announcements: {
    heading: 'No more news?',
    text: 'We will send {address} no more news. Your page always has the newest version.',
    button: 'No more news',
    link: 'Unsubscribe from everything instead',
  },
  news: {
    heading: 'Want the next ones too?',
    link: 'No, thank you',
  },
  unsubscribe: {
    heading: 'Stop these emails?',
    text: 'We will take {address} off the list. The download links you already have keep working.',
    button: 'Unsubscribe',
    link: 'Keep my subscription',
  },
  unsubscribed: {
    heading: 'You are unsubscribed.',
    text: '{address} is off the list. You will get no more email from us.',
    button: 'Put me back on the list',
  },
  block: {
    heading: 'You did not ask for this?',
    text: 'Somebody entered {address} on our page. Press the button, and we will send nothing more to this inbox.',
    button: 'I did not ask for this',
    link: 'Yes, I asked for it',
  },
  blocked: {
    heading: 'We will send you nothing more.',
    text: 'Your address is off the list and stays off, even if somebody enters it again. That is the only reason why we keep it. If you change your mind, come back to this page and lift the block.',
    button: 'Lift the block',
  },
  unblocked: {
    heading: 'The block is lifted.',
    text: 'Your address is not on the list. To get the bot, sign up on the home page.',
  },
  erased: {
    heading: 'Your address is erased.',
    text: 'Your personal links are gone too, and the last traces leave our files within the hour. The files you have are yours to keep.',
    textWhenOverwritten:
      'Your personal links are gone too. Old copies in the files of our database are overwritten as it is used. The files you have are yours to keep.',
  },
  elsewhere: {
    heading: 'This page has another address.',
    text: 'Nothing was sent. Please open the page here and press the button again:',
  },
  invalid: {
    heading: 'That address doesn’t look right.',
    text: 'Nothing was sent. Correct the address and press the button again.',
    formName: 'Correct the address',
  },
  slip: {
    text: 'Nothing has been sent yet.',
  },
  error: {
    formName: 'Try again',
  },
}
