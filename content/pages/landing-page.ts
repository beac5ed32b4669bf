/** A message of your script, as the script sends it. */
export interface AlertMessage {
  /** An entry or an exit. */
  readonly mark: 'up' | 'down'
  readonly name: string
  readonly text: string
}

/**
 * The words of the landing page, section by section. **Fixed** marks what the specification sets
 * byte for byte: tests hold those. `{brand}` is the name in brand.ts.
 */
export const landingPage = {
  /** Search results and link previews show these. */
  title: '{brand}: a free EMA crossover script with setup guide',
  description:
    'A free Pine Script strategy for TradingView, short enough to read, with a PDF setup guide. Both come by email. No account, no card.',
  /** Describes the picture that goes with a shared link. */
  shareImageAlt:
    'A price chart with a thin and a heavy line that cross, and the name of the script.',

  /** Shown at the first press of Tab, to people who use the keyboard. */
  skipLink: 'Skip to the sign-up form',

  /** The top of the page, with the first form. */
  hero: {
    /** Fixed. */
    badge: '100% Free, No Credit Card Required',
    /** The first line stands alone where there is room for it. */
    heading: ['A trading bot', 'short enough to read.'] satisfies [string, string],
    /** Under the heading: what it is, what it does, how to get it. */
    lede: 'A free Pine Script strategy for TradingView. It buys when the fast average crosses above the slow one and closes when it crosses back. We email you the script and a PDF setup guide.',
    /** Read out by screen readers, not shown. */
    formName: 'Get the script and the guide',
    /** Fixed. */
    button: 'Download Now for Free',
    /** Under the form. The mail says the same. */
    reassurance: 'You get one email, and no other unless you turn on news.',
  },

  /**
   * The line above the chart. `fast` and `slow` belong to the run of our script: with one of your
   * own they are not shown. `{length}` is the one that the script runs with.
   */
  chart: {
    fast: {
      term: 'EMA {length}',
      role: 'fast',
      /** Opens when the pointer is on the term. */
      tip: 'Exponential moving average, length {length}. Recent closes weigh most, so it turns first.',
    },
    slow: {
      term: 'EMA {length}',
      role: 'slow',
      tip: 'Exponential moving average, length {length}. It turns later and ignores small moves.',
    },
    /** Hollow and solid bars. */
    up: 'up',
    down: 'down',
    sample: 'Illustration on sample data',
    /** Describes a chart of your own, which takes the place of ours. */
    ownChart: 'A chart of the script.',
  },

  /** The three cards. */
  whatsIncluded: {
    /** Fixed. */
    heading: "What's Included",
    script: {
      /** Over the card, after the name of the file. */
      plate: 'Pine Script',
      heading: 'The full Pine script',
      text: 'The whole strategy in one commented file of {lines} lines. Nothing is locked: change the two lengths, set a stop, make it yours.',
      /**
       * Read out by screen readers. The lines themselves are the script's, from the line that
       * begins with "// The rule".
       */
      codeName: 'Lines {first} to {last} of the script',
    },
    guide: {
      plate: 'A4',
      heading: 'A 10-minute setup guide',
      text: 'Eight steps with pictures, from an empty chart to a running simulation in under 10 minutes.',
      /** Read out by screen readers. */
      pictureName: 'A page of the guide, with the minutes of the setup down its right edge.',
      /** Under the picture. */
      enlarge: 'Read this page',
    },
    alerts: {
      /** Over the card: where the message goes, and what it is. */
      address: 'POST your-webhook',
      plate: 'JSON',
      /** Two lines on a phone. */
      heading: ['Full automation', 'via webhook alerts'] satisfies [string, string],
      /** `{bridges}`: the names of those that have a message on the personal page. */
      text: 'Every entry and exit can post a message like this one to a broker bridge ({bridges}) or to your own server. Webhooks need a paid TradingView plan; the script and the guide do not.',
      /**
       * Over the message of our own script, which is worked out from its run. Its price is not that
       * of the fill.
       */
      entry: 'Entry 2, last close before the fill',
      /** Shown instead with a script of your own. Without any, the card is left out. */
      yourMessages: [] as readonly AlertMessage[],
    },
  },

  /** The three steps. `minute` is when each is done. */
  howItWorks: {
    /** Fixed. */
    heading: 'How It Works',
    steps: [
      { heading: 'Enter your email', text: 'One field. No account, no card.', minute: '0 min' },
      {
        heading: 'Get instant access',
        text: 'The download links for the script and the guide go out as soon as you press the button.',
        minute: '0 min',
      },
      {
        heading: 'Start trading',
        text: 'Follow the guide, let the strategy run in a simulation first, and connect an alert once you trust what you see.',
        minute: '<10 min',
      },
    ],
  },

  /** The letter, signed with the creator's name. */
  creatorNote: {
    heading: 'A note from the creator',
    /** As many as you like. */
    paragraphs: [
      'I give this script away because the EMA crossover is a good first strategy to take apart: one rule, two lines, and every decision visible on the chart. The plumbing is harder to find: on which bar a signal counts, which order goes out, what the alert says. It is all in the file, with a comment on each part.',
      'Know what it does before you run it. It follows a trend when there is one. When there is none, it buys, sells and loses a little, again and again. The second trade in the chart above is such a loss, and I left it in on purpose.',
      'So treat it as a starting point. Let it run in a simulation, change the lengths, add the stop you would want. If a step in the guide is unclear, reply to the email and I will fix the page.',
    ],
    /**
     * Beside the letter, only with our script: a losing trade of its run. Read out in place of the
     * two marks.
     */
    bought: 'Bought at',
    closed: 'Closed at',
    aside: 'Entry 2 and exit 2 in the chart, on sample data and before costs.',
  },

  /** The dark end of the page, with the second form. */
  closingCall: {
    heading: ['Read every line', 'before you run one.'] satisfies [string, string],
    /** Read out by screen readers, not shown. */
    formName: 'Get the script and the guide, from the end of the page',
    /** Fixed. */
    button: 'Get My Free Bot',
    /** Fixed. */
    promise: 'No spam. Unsubscribe anytime. Your email is safe with us.',
  },

  /** At the foot of every page, when content/brand.ts has their addresses. */
  legalLinks: { privacy: 'Privacy', imprint: 'Imprint' },

  /** At the foot of every small page. */
  shortRisk: 'Trading involves risk. You can lose some or all of the money you trade with.',

  /** The last lines of the page. Let somebody read them who knows the law of your country. */
  footer: {
    risk: 'Trading involves risk. You can lose some or all of the money you trade with, and with leverage more than you put in. The script and the guide are educational material, not investment advice. Simulated and past results do not tell you what comes next.',
    trademarks:
      'The chart on this page is drawn from sample data, not from a market. TradingView and Pine Script are trademarks of TradingView, Inc., which has no part in this site.',
  },
}
