/**
 * The words of the landing page, section by section. **Fixed** marks what the specification sets
 * byte for byte: tests hold those. `{brand}` is the name in brand.ts.
 */
export interface LandingPageTexts {
  /** Search results and link previews show these. */
  readonly title: string
  readonly description: string
  /** Describes the picture that goes with a shared link. */
  readonly shareImageAlt: string
  /** Shown at the first press of Tab, to people who use the keyboard. */
  readonly skipLink: string
  /** The top of the page, with the first form. */
  readonly hero: {
    /** Fixed. */
    readonly badge: string
    /** The first line stands alone where there is room for it. */
    readonly heading: readonly [string, string]
    /** Under the heading: what it is, what it does, how to get it. */
    readonly lede: string
    /** Read out by screen readers, not shown. */
    readonly formName: string
    /** Fixed. */
    readonly button: string
    /** Under the form. The mail says the same. */
    readonly reassurance: string
  }
  /**
   * The line above the chart. `fast` and `slow` belong to the run of our script: with one of your
   * own they are not shown. `{length}` is the one that the script runs with.
   */
  readonly chart: {
    readonly fast: AverageTexts
    readonly slow: AverageTexts
    /** Hollow and solid bars. */
    readonly up: string
    readonly down: string
    readonly sample: string
    /** Describes a chart of your own, which takes the place of ours. */
    readonly ownChart: string
    /** The part of it that is shown: whole, or as high as ours with its top, middle or bottom. */
    readonly crop: string
  }
  /** Under the chart of our script. */
  readonly tryLengths: {
    readonly button: string
    /** Labels of the two fields. */
    readonly fast: string
    readonly slow: string
    /** Read out by screen readers, after the label: the buttons − and +. */
    readonly less: string
    readonly more: string
    /** What the rule does with these lengths. Never what it earns. */
    readonly counts: string
    /** Follows if the last trade is still open. */
    readonly stillOpen: string
    readonly note: string
    /** Over the message. `{name}`: of the order, as in the chart. */
    readonly order: string
    /** If the fields hold no such pair. */
    readonly wrong: string
  }
  /** The three cards. */
  readonly whatsIncluded: {
    /** Fixed. */
    readonly heading: string
    readonly script: {
      /** Over the card, after the name of the file. */
      readonly plate: string
      readonly heading: string
      readonly text: string
      /**
       * Read out by screen readers. The lines themselves are the script's, from the line that
       * begins with "// The rule".
       */
      readonly codeName: string
    }
    readonly guide: {
      readonly plate: string
      readonly heading: string
      readonly text: string
      /** Read out by screen readers. */
      readonly pictureName: string
      /** Under the picture. */
      readonly enlarge: string
    }
    readonly alerts: {
      /** Over the card: where the message goes, and what it is. */
      readonly address: string
      readonly plate: string
      /** Two lines on a phone. */
      readonly heading: readonly [string, string]
      readonly text: string
      /**
       * Over the two messages of our own script, which are worked out from its run. `{fill}`: the
       * price at which the order of the message was filled.
       */
      readonly entry: string
      readonly exit: string
      /** Below them. `{bridges}`: the services whose message is on the personal page. */
      readonly services: string
    }
  }
  /** The three steps. `minute` is when each is done. */
  readonly howItWorks: {
    /** Fixed. */
    readonly heading: string
    readonly steps: readonly StepTexts[]
    /** Folded, below the steps. As many as you like; without any nothing stands there. */
    readonly questions: readonly QuestionTexts[]
  }
  /** The letter, signed with the creator's name. */
  readonly creatorNote: {
    readonly heading: string
    /** As many as you like. */
    readonly paragraphs: readonly string[]
    /** Who signs it, below the signature, with a picture if you chose one. Empty: nothing. */
    readonly person: {
      readonly sentence: string
      readonly linkText: string
      readonly linkUrl: string
    }
    /**
     * Beside the letter, only with our script: a losing trade of its run. Read out in place of the
     * two marks.
     */
    readonly bought: string
    readonly closed: string
    readonly aside: string
  }
  /** The dark end of the page, with the second form. */
  readonly closingCall: {
    readonly heading: readonly [string, string]
    /** Read out by screen readers, not shown. */
    readonly formName: string
    /** Fixed. */
    readonly button: string
    /** Fixed. */
    readonly promise: string
  }
  /** At the foot of every page, when content/brand.ts has their addresses. */
  readonly legalLinks: {
    readonly privacy: string
    readonly imprint: string
  }
  /** At the foot of every small page. */
  readonly shortRisk: string
  /** The last lines of the page. Let somebody read them who knows the law of your country. */
  readonly footer: {
    readonly risk: string
    readonly trademarks: string
  }
}

interface AverageTexts {
  readonly term: string
  readonly role: string
  /** Opens when the pointer is on the term. */
  readonly tip: string
}

interface QuestionTexts {
  readonly question: string
  readonly answer: string
}

interface StepTexts {
  readonly heading: string
  readonly text: string
  /** When it is done. */
  readonly minute: string
}

export const landingPage: LandingPageTexts = {
  title: '{brand}: a free {script} script with setup guide',
  description:
    'A free Pine Script strategy for TradingView, short enough to read, with a PDF setup guide. Both come by email. No card.',
  shareImageAlt:
    'A price chart with a thin and a heavy line that cross, and the name of the script.',
  skipLink: 'Skip to the sign-up form',
  hero: {
    badge: '100% Free, No Credit Card Required',
    heading: ['A trading bot', 'short enough to read.'],
    lede: 'A free Pine Script strategy for TradingView. {rule} We email you the script and a ten-minute setup guide. You need a computer and a free TradingView account.',
    formName: 'Get the script and the guide',
    button: 'Download Now for Free',
    reassurance: 'One email with both files. Nothing else unless you ask for it.',
  },
  chart: {
    fast: {
      term: 'EMA {length}',
      role: 'fast',
      tip: 'Exponential moving average, length {length}. Recent closes weigh most, so it turns first.',
    },
    slow: {
      term: 'EMA {length}',
      role: 'slow',
      tip: 'Exponential moving average, length {length}. It turns later and ignores small moves.',
    },
    up: 'up',
    down: 'down',
    sample: 'Illustration on sample data',
    ownChart: 'A chart of the script.',
    crop: 'whole',
  },
  tryLengths: {
    button: 'Try other lengths',
    fast: 'Fast length',
    slow: 'Slow length',
    less: 'one less',
    more: 'one more',
    counts:
      'Closed trades in these {bars} bars: {trades}. Losing trades: {losing}. Longest losing run: {inARow}. What costs took: {costs} a share.',
    stillOpen: 'One more trade is still open.',
    note: 'Made-up prices: this shows how the rule behaves, not what you would earn. Each order costs {commission} % commission and {slippage} of slippage, as in the script.',
    order: '{name} would have sent:',
    wrong:
      'Enter whole numbers from {least} to {most}. The fast length must be below the slow one.',
  },
  whatsIncluded: {
    heading: "What's Included",
    script: {
      plate: 'Pine Script',
      heading: 'The full Pine script',
      text: 'The whole strategy in one commented file of {lines} lines. Nothing is locked: change the lengths, set a stop, make it yours.',
      codeName: 'Lines {first} to {last} of the script',
    },
    guide: {
      plate: 'A4',
      heading: 'A 10-minute setup guide',
      text: 'Five steps with pictures, from an empty chart to a running simulation in under 10 minutes. Three more lead to alerts and to your broker.',
      pictureName: 'A page of the guide, with the minutes of the setup down its right edge.',
      enlarge: 'See it full size',
    },
    alerts: {
      address: 'POST your-webhook',
      plate: 'JSON',
      heading: ['Full automation', 'via webhook alerts'],
      text: 'Every entry and exit can send a message like this to a service that places the order, or to your own server. TradingView’s free plan may have no alerts on a strategy, webhooks need a paid one, and most of these services charge too. The script and the guide are free.',
      entry: 'Entry 2. The price is the close that gave the signal; the order filled at {fill}.',
      exit: 'Exit 2, filled at {fill}.',
      services: 'With a message ready for {bridges}.',
    },
  },
  howItWorks: {
    heading: 'How It Works',
    steps: [
      {
        heading: 'Enter your email',
        text: 'One field. No account here, no card.',
        minute: 'now',
      },
      {
        heading: 'Get instant access',
        text: 'The links are in your inbox within a minute.',
        minute: 'a minute later',
      },
      {
        heading: 'Start trading',
        text: 'Follow the guide, let the strategy run in a simulation first, and connect an alert once you trust what you see.',
        minute: 'in ten minutes',
      },
    ],
    questions: [
      {
        question: 'What do I need, and what does it cost?',
        answer:
          'A computer and a free TradingView account. The script and the guide cost nothing. TradingView’s free plan may have no alerts on a strategy, webhooks need a paid plan, and most services that place the orders charge too.',
      },
      {
        question: 'Does it work on a phone?',
        answer:
          'You need a computer once, to put the script on a chart. After that its chart and its alerts are in TradingView’s phone app as well.',
      },
      {
        question: 'Which markets and brokers?',
        answer:
          'Any symbol on TradingView, with bars of any length. For real orders a service stands between TradingView and your broker: your page has a message for {bridges} and for a server of your own.',
      },
      {
        question: 'Does it repaint?',
        answer:
          'No. A cross counts once its bar has closed, and the order fills at the open of the next bar. The script looks at no later bar and at no other timeframe.',
      },
      {
        question: 'Does it make money?',
        answer:
          'On its own, usually not. It earns in a long trend and loses a little in everything else, and costs come on top. Take it as a frame for a rule of your own, and simulate that first.',
      },
      {
        question: 'What do you do with my address?',
        answer:
          'I send you one email with both files, and nothing else unless you ask for it. You can erase your address yourself, at once. “{privacy}” at the foot of this page says the rest.',
      },
    ],
  },
  creatorNote: {
    heading: 'A note from the creator',
    paragraphs: [
      'I give this script away because the EMA crossover is a good first strategy to take apart: one rule, two lines, and every decision visible on the chart. The plumbing is harder to find: on which bar a signal counts, which order goes out, what the alert says. It is all in the file, with a comment on each part.',
      'Know what it does before you run it. It follows a trend when there is one. When there is none, it buys, sells and loses a little, again and again. The second trade in the chart above is such a loss, and I left it in on purpose.',
      'So treat it as a starting point. Let it run in a simulation, change the lengths, set the stop you want. If a step in the guide is unclear, reply to the email and I will fix the page.',
    ],
    person: { sentence: '', linkText: '', linkUrl: '' },
    bought: 'Bought at',
    closed: 'Closed at',
    aside: 'Entry 2 and exit 2 in the chart, on sample data and before costs.',
  },
  closingCall: {
    heading: ['Read every line', 'before you run one.'],
    formName: 'Get the script and the guide, from the end of the page',
    button: 'Get My Free Bot',
    promise: 'No spam. Unsubscribe anytime. Your email is safe with us.',
  },
  legalLinks: {
    privacy: 'Privacy',
    imprint: 'Imprint',
  },
  shortRisk: 'Trading involves risk. You can lose some or all of the money you trade with.',
  footer: {
    risk: 'Trading involves risk. You can lose some or all of the money you trade with, and with leverage more than you put in. The script and the guide are educational material, not investment advice. Simulated and past results do not tell you what comes next.',
    trademarks:
      'The chart on this page is drawn from sample data, not from a market. TradingView and Pine Script are trademarks of TradingView, Inc., which has no part in this site.',
  },
}
