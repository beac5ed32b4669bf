/**
 * The words of the setup guide: the PDF and the version on the personal page are both made from
 * these. `*so*` marks a name to look for on the screen, `` `so` `` marks code.
 *
 * Also filled in: `{copyScript}` and `{bridges}`, a button and a heading of the personal page;
 * `{scriptName}` of kit.ts; `{oldScript}` of pages/what-changed.ts.
 *
 * Steps can be changed, added and removed. Each has a page of the PDF, and the build says if the
 * words do not fit it. A guide made in another program replaces all this: see kit.ts.
 */

/**
 * The available drawings. `crossing` and `report` show a run of our script and are left out with
 * one of your own.
 */
export type ScreenPicture =
  'editor' | 'script' | 'crossing' | 'settings' | 'report' | 'alert' | 'webhook'

export interface GuideStep {
  /** The end of its address on the personal page: lower-case letters and hyphens, unique. */
  readonly id: string
  readonly title: string
  /**
   * The step begins and ends at these minutes: integers from 0 to 10, each step after the one
   * before. A step after the ten minutes has none.
   */
  readonly minute?: number
  readonly untilMinute?: number
  readonly intro: string
  /** The instructions a, b, c … */
  readonly actions: readonly string[]
  readonly picture?: ScreenPicture
  /** Shown under the picture, if there is one. */
  readonly caption?: string
  readonly youShouldSee: string
  /** Follows "Nothing there?". */
  readonly help: string
  /** A small table of two columns. */
  readonly facts?: readonly { readonly name: string; readonly text: string }[]
  /** Shown under the step, for further reading. */
  readonly link?: { readonly text: string; readonly url: string }
}

/** A step, and what it says instead with a script of the owner's own. */
interface DefaultStep extends GuideStep {
  readonly withOwnScript?: Partial<{ [Name in keyof GuideStep]: GuideStep[Name] | undefined }>
}

const defaultSteps: readonly DefaultStep[] = [
  {
    id: 'open-the-pine-editor',
    title: 'Open the Pine Editor',
    minute: 0,
    untilMinute: 1,
    intro:
      'You need a browser on a computer and a free TradingView account. The ten minutes begin when you are logged in; a new account takes a few minutes more.',
    actions: [
      'Log in at tradingview.com and open a chart. Type {tryOn}.',
      'Press *Pine Editor*. Look for it in the bar on the right. Older layouts have it as a tab below the chart.',
    ],
    picture: 'editor',
    caption: 'The editor opens beside the chart. Older layouts open it below.',
    youShouldSee: 'A panel with numbered lines, in which you can type.',
    help: 'You are probably on a symbol page, not on a chart. Choose *Products*, then *Supercharts*. The phone app has no Pine Editor: use a computer.',
    link: { text: 'Open a chart on tradingview.com', url: 'https://www.tradingview.com/chart/' },
  },
  {
    id: 'paste-the-script',
    title: 'Paste the script',
    minute: 1,
    untilMinute: 3,
    intro: 'The editor opens with a sample script. Our file replaces all of it.',
    actions: [
      'Press *{copyScript}* on your page, behind the link in the email. Or open `{scriptName}` in a text editor, select all and copy.',
      'Click into the Pine Editor, select all (Ctrl A, on a Mac Cmd A) and paste.',
      'Save with Ctrl S (Cmd S) and give it a name you will find again.',
    ],
    picture: 'script',
    caption: 'The first lines of the file. Long lines are cut off in this picture only.',
    youShouldSee:
      'Line 1 reads `//@version=6`, and the name you gave the script is at the top of the editor.',
    help: 'If line 1 is not the version line, some of the sample is left. Click into the lines, select all, delete, and paste the whole file again.',
    facts: [
      {
        name: 'Keep it private',
        text: 'Saving is enough. Do not publish it: TradingView may remove a plain cross of two averages from the public library.',
      },
    ],
    withOwnScript: {
      youShouldSee:
        'Line 1 is the first line of the file, and the name you gave the script is at the top of the editor.',
      help: 'If line 1 reads differently, some of the sample is left. Click into the lines, select all, delete, and paste the whole file again.',
      facts: [{ name: 'Keep it private', text: 'Saving is enough. You need not publish it.' }],
    },
  },
  {
    id: 'add-the-script-to-your-chart',
    title: 'Add it to your chart',
    minute: 3,
    untilMinute: 4,
    intro: 'The script is saved. Now put it on a chart.',
    actions: [
      'Press *Add to chart*, at the top right of the editor.',
      'Wait for two lines on the price: a thin orange one and a heavy blue one.',
      'Find the first small triangle. It marks the bar after the lines crossed.',
    ],
    picture: 'crossing',
    caption: 'Illustration on sample data. Bars 69 to 120.',
    youShouldSee: 'Two lines that cross now and then, and a mark on the bar after each cross.',
    help: 'A line marked red in the editor means that something was lost while pasting: select all, delete, and paste the file again. Two lines but no marks: the order is too small for one share or contract, and the script says so on the chart.',
    facts: [
      { name: 'Fast line', text: 'The thin one. It turns first, even when it is wrong.' },
      { name: 'Slow line', text: 'The heavy one. It turns late and ignores small moves.' },
    ],
    withOwnScript: {
      actions: [
        'Press *Add to chart*, at the top right of the editor.',
        'Look at the top left of the chart. The name of the script stands there.',
      ],
      picture: undefined,
      caption: undefined,
      youShouldSee: 'The name of the script on the chart, and what the script draws.',
      help: 'A line marked red in the editor means that something was lost while pasting: select all, delete, and paste the file again.',
      facts: undefined,
    },
  },
  {
    id: 'check-the-settings',
    title: 'Check the settings',
    minute: 4,
    untilMinute: 6,
    intro: 'The defaults suit a first look. Read them once before you change one.',
    actions: [
      'Point at the script’s name on the chart. Press the gear, *Settings*.',
      'In *Inputs*, compare what you see with the picture below.',
      'In *Properties*, enter the capital, order size and commission that you would really use. Press *Ok*.',
    ],
    picture: 'settings',
    caption: 'The Inputs of this version, with their defaults.',
    youShouldSee: 'The dialog closes. If you changed a length, the marks move.',
    help: 'If the name is not on the chart, the script was not added: go back one step. If there is a red mark beside it, point at the mark: it says which input to change.',
    withOwnScript: {
      youShouldSee: 'The dialog closes, and the script draws with the values in it.',
      help: 'If the name is not on the chart, the script was not added: go back one step. If there is a red mark beside it, point at the mark: it says what is wrong.',
    },
  },
  {
    id: 'read-the-backtest',
    title: 'Read the backtest',
    minute: 6,
    untilMinute: 9,
    intro:
      'TradingView has run the rule on past bars. Look at how it loses before you look at how it wins.',
    actions: [
      'Open *Strategy Report* below the chart, once called *Strategy Tester*.',
      'Find *Max equity drawdown*, the largest fall from a high. Could you have sat through it?',
      'Open *List of trades* and read ten in a row. Look for runs of small losses where the price went nowhere.',
    ],
    picture: 'report',
    caption: 'Illustration on sample data, before costs. Trades 2 and 3 are those of step 3.',
    youShouldSee:
      'A list with an entry and an exit for every closed trade, including the losing ones.',
    help: 'An empty list usually means too few bars, or an order that is too small: it is 10 % of 10,000, so one share or contract above 1,000 is never bought. Raise *Order size* in *Properties*, or load more history, and check that no date range is set in the Inputs.',
    facts: [
      {
        name: 'Past is past',
        text: 'A backtest shows what the rule did on these bars. It promises nothing.',
      },
      { name: 'Costs count', text: 'Set commission and slippage too high rather than too low.' },
      {
        name: 'Enough trades',
        text: 'At least 100 closed ones, over years that rose and years that fell.',
      },
    ],
    withOwnScript: {
      picture: undefined,
      caption: undefined,
      help: 'An empty list usually means too few bars, or an order that is too small. Raise *Order size* in *Properties*, or load more history.',
    },
  },
  {
    id: 'try-an-alert',
    title: 'Try an alert',
    intro:
      'On a daily chart the first message can take weeks. On 1-minute bars you see one within minutes.',
    actions: [
      'Set the chart to 1 minute, on a symbol that is trading now. Most cryptocurrencies trade at any hour.',
      'In the script’s *Settings*, set the lengths to 2 and 3. The lines now cross every few minutes.',
      'Press *Alert* above the chart. As *Condition* choose the name of the script, then *Order fills only*. Press *Create*.',
      'Wait for the next mark on the chart. Open *Alerts* on the right, then the tab *Log*.',
      'Delete the alert. Set both lengths back, and return to your own bars.',
    ],
    youShouldSee: 'One message in the log: the symbol, buy or sell, and a price.',
    help: 'If there is no new mark after ten minutes, nothing is trading: take another symbol. If there is a mark but no message, the alert was made before the lengths were changed: delete it and make a new one.',
    facts: [
      {
        name: 'Plan',
        text: 'An alert on a strategy counts as a technical alert. TradingView’s free plan may have none.',
      },
      {
        name: 'Nothing is traded',
        text: 'Without a webhook an alert is only a message. No order leaves TradingView.',
      },
    ],
    withOwnScript: {
      intro: 'On a daily chart the first message can take weeks. On 1-minute bars it comes sooner.',
      actions: [
        'Set the chart to 1 minute, on a symbol that is trading now. Most cryptocurrencies trade at any hour.',
        'Press *Alert* above the chart. As *Condition* choose the name of the script, then *Order fills only*. Press *Create*.',
        'Wait for the next trade on the chart. Open *Alerts* on the right, then the tab *Log*.',
        'Delete the alert, and return to your own bars.',
      ],
      youShouldSee: 'One message in the log for the trade.',
      help: 'If there is no new trade, the script has not called for one: wait, or take another symbol. If there is a trade but no message, delete the alert and make a new one.',
    },
  },
  {
    id: 'create-one-alert',
    title: 'Create the real alert',
    intro: 'One alert sends every entry and every exit, in both directions.',
    actions: [
      'Press *Alert* above the chart, or Alt A.',
      'As *Condition* choose the name of the script, then *Order fills only*.',
      'Open the tab *Message* and leave it as it is. It holds `{{strategy.order.alert_message}}`.',
      'Set the expiration as late as your plan allows, and press *Create*.',
    ],
    picture: 'alert',
    caption: 'The alert dialog. TradingView renames and moves its fields from time to time.',
    youShouldSee:
      'One alert under *Alerts* on the right, with the name of the script, marked active.',
    help: 'If the script is not among the conditions, it is not on this chart. If the message box holds anything else, type the line above, with both pairs of braces.',
    facts: [
      {
        name: 'A copy',
        text: 'An alert keeps a copy of script, inputs, symbol and bar length. If you change one, delete it and create a new one.',
      },
      {
        name: 'It can stop',
        text: 'After more than 15 triggers within 3 minutes TradingView stops it until you restart it.',
      },
      {
        name: 'It ends',
        text: 'After its expiration nothing is sent. Set a reminder for the day before.',
      },
    ],
    withOwnScript: {
      intro: 'One alert sends a message for every order of the script.',
      actions: [
        'Press *Alert* above the chart, or Alt A.',
        'As *Condition* choose the name of the script, then *Order fills only*.',
        'Open the tab *Message*. It holds what is sent.',
        'Set the expiration as late as your plan allows, and press *Create*.',
      ],
      picture: undefined,
      caption: undefined,
      help: 'If the script is not among the conditions, it is not on this chart.',
    },
    link: {
      text: 'TradingView on alerts from scripts',
      url: 'https://www.tradingview.com/support/solutions/43000597494/',
    },
  },
  {
    id: 'connect-a-webhook',
    title: 'Connect a webhook (optional)',
    intro:
      'A webhook sends each message to a broker bridge or to your own server. Begin with a demo account.',
    actions: [
      'Edit the alert and open *Notifications*.',
      'Tick *Webhook URL* and paste the address that your bridge gives you.',
      'On your page, under *{bridges}*, choose your bridge. Paste its message on the tab *Message*, go through its checklist, and save.',
    ],
    picture: 'webhook',
    caption: 'The notifications of an alert. The address is an example.',
    youShouldSee: 'After the next order fill, the message in the log of your bridge.',
    help: 'Did the alert trigger? The alert log says so. Then compare message and address with those on your page.',
    facts: [
      {
        name: 'Plan',
        text: 'A webhook needs a paid plan and two-factor login. Most bridges charge too.',
      },
      {
        name: 'Futures',
        text: '`NQ1!` is refused, or changes month on another day. Use `NQZ2026`.',
      },
      {
        name: 'Secrets',
        text: 'Never put a password or a broker key in a message: only the code your bridge asks for.',
      },
    ],
    withOwnScript: {
      actions: [
        'Edit the alert and open *Notifications*.',
        'Tick *Webhook URL* and paste the address that your bridge gives you.',
        'Open the tab *Message*, paste the message that your bridge asks for, and save.',
      ],
      help: 'Did the alert trigger? The alert log says so. Then compare message and address with those that your bridge asks for.',
    },
    link: {
      text: 'TradingView on webhooks',
      url: 'https://www.tradingview.com/support/solutions/43000529348/',
    },
  },
]

const steps: readonly GuideStep[] = stepsOf('our script')

/** They show no run of our script, and name none of its inputs and messages. */
export const stepsWithOwnScript: readonly object[] = stepsOf('own script')

function stepsOf(given: 'our script' | 'own script'): GuideStep[] {
  return defaultSteps.map(({ withOwnScript, ...step }) => ({
    ...step,
    ...(given === 'own script' && (withOwnScript as Partial<GuideStep>)), // undefined: left out
  }))
}

export interface SetupGuideTexts {
  /** Cover, head of each page, name of the PDF. */
  readonly title: string
  readonly subtitle: string
  /**
   * For the two lines on the cover, only with our script: the caption after their lengths, and the
   * text for screen readers.
   */
  readonly coverCaption: string
  readonly coverDrawing: string
  /** On the cover, after the version and its date. */
  readonly edition: string
  /** Shown on the cover after the last step with minutes. */
  readonly done: string
  /** Every step ends in these two. */
  readonly youShouldSee: string
  readonly nothingThere: string
  /** In the chart. This note and the drawing that follows need our script. */
  readonly falseSignal: readonly [string, string]
  /** For screen readers; the prices of the trades follow. */
  readonly crossingDrawing: string
  readonly steps: readonly GuideStep[]
  /** The page after the steps. */
  readonly paper: {
    readonly id: string
    readonly title: string
    readonly intro: string
    readonly rules: readonly string[]
    readonly limitsTitle: string
    readonly limits: readonly string[]
  }
  /**
   * The page with the script's settings. The rows come from the script: title, default and tooltip
   * of each input.
   */
  readonly inputs: {
    readonly id: string
    readonly title: string
    readonly intro: string
    readonly columns: readonly [string, string, string]
  }
  /** The last page of the PDF. releases.ts has the versions; without any the page is left out. */
  readonly versions: {
    readonly id: string
    readonly title: string
    readonly intro: string
  }
  readonly risk: {
    readonly id: string
    readonly title: string
    /** Above it stands the warning of the landing page. */
    readonly trademarks: string
  }
}

export const setupGuide: SetupGuideTexts = {
  title: 'Setup guide',
  subtitle: 'The {script} starter script, from download to a simulated first run.',
  coverCaption: 'illustration on sample data',
  coverDrawing:
    'Two lines: the fast average crosses above the slow one, climbs, and crosses back below it.',
  edition: 'For the script of the same version.',
  done: '<10 min',
  youShouldSee: 'You should see now:',
  nothingThere: 'Nothing there?',
  falseSignal: ['False signal: bought,', 'then closed at a loss.'],
  crossingDrawing: 'Candles with two averages, on sample data.',
  steps,
  paper: {
    id: 'simulate-first',
    title: 'Simulate first',
    intro: 'The setup is done. Let the simulation run.',
    rules: [
      'Leave the script on the chart. It trades each new bar in its own simulation and sends no order. *Paper Trading* is something else. Before a webhook, read the section on automated use in TradingView’s terms; then use a demo account. Go on until you have seen losing runs live: weeks, not days.',
      'Compare each live entry with the backtest: the same bar, about the same price. If they differ, find out why before you go on.',
      'Change one thing at a time, write down what and why, and start counting again. A changed input needs a new alert.',
      'When you start with real money, use an amount that you can lose without harm. Know how to stop it all: delete the alert, then close the position at the broker.',
    ],
    limitsTitle: 'What the script does not do',
    limits: [
      'It knows nothing about your account. If an order fails at the broker, the script does not notice.',
      'It decides on closed bars and is filled at the open of the next one, so you bear any gap between the two.',
      'It has no stop unless you set one in the Inputs. TradingView watches that stop, not your broker, unless you also turn on *Send stop and target to the bridge*.',
      'It holds positions overnight unless *Flat at the end of the session* is on. That switch does not know half days.',
    ],
  },
  inputs: {
    id: 'every-input',
    title: 'Every input',
    intro:
      'Taken from the script: the name, the default, and the note behind the small i in the dialog.',
    columns: ['Input', 'Default', 'What it does'],
  },
  versions: {
    id: 'versions',
    title: 'Versions',
    intro: '{oldScript} Your page has the newest version of both files.',
  },
  risk: {
    id: 'risk',
    title: 'Risk',
    trademarks:
      'The charts in this guide are drawn from sample data, not from a market. TradingView and Pine Script are trademarks of TradingView, Inc., which has no part in this guide.',
  },
}
