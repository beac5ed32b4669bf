/**
 * The setup guide: the PDF and the version on the personal page are both made from these texts.
 * `*so*` marks a name to look for on the screen, `` `so` `` marks code. Also filled in:
 * `{copyScript}` and `{bridges}`, a button and a heading of the personal page; `{scriptName}`, the
 * file; `{oldScript}` of pages/what-changed.ts.
 */

import { constant, each, type EntryOf, lines, list, part, text, valuesOf } from './schema.ts'

/** Each step has a page of the PDF, and publishing says if the words do not fit it. */
const step = {
  id: each.id(),
  title: each.text({ label: 'Title', where: 'In the step.', room: 40 }),
  minute: each.number({
    label: 'Begins at minute',
    where: 'On the axis. Empty after the ten minutes.',
    optional: true,
    from: 0,
    to: 10,
  }),
  untilMinute: each.number({
    label: 'Ends at minute',
    where: 'On the axis. Empty after the ten minutes.',
    optional: true,
    from: 0,
    to: 10,
  }),
  intro: each.lines({ label: 'Opening', where: 'In the step.', room: 300 }),
  actions: each.list(
    { label: 'Instructions', where: 'Lettered a, b, c …', min: 1, max: 8 },
    each.lines({ label: 'Instruction', where: 'In the step.', room: 300 }),
  ),
  picture: each.choice(
    {
      editor: 'the editor beside a chart',
      script: 'the first lines of the script',
      crossing: 'the chart, only with our script',
      settings: 'the inputs of the script',
      report: 'the list of trades, only with our script',
      alert: 'the alert dialog',
      webhook: 'the notifications of an alert',
    },
    { label: 'Picture', where: 'Below the instructions.', optional: true },
  ),
  caption: each.lines({
    label: 'Under the picture',
    where: 'In the step.',
    room: 140,
    optional: true,
  }),
  youShouldSee: each.lines({ label: 'You should see now', where: 'In the step.', room: 240 }),
  help: each.lines({ label: 'Nothing there?', where: 'In the step.', room: 400 }),
  facts: each.list(
    { label: 'Facts', where: 'The small table of the step.', min: 0, max: 5, optional: true },
    {
      name: each.text({ label: 'Name', where: 'In the step.', room: 30 }),
      text: each.lines({ label: 'Text', where: 'In the step.', room: 240 }),
    },
  ),
  link: each.part(
    { where: 'Under the step.', optional: true },
    {
      text: each.text({ label: 'Words of the link', room: 60 }),
      url: each.link({ label: 'Link' }),
    },
  ),
}

export type GuideStep = EntryOf<typeof step>
export type ScreenPicture = NonNullable<GuideStep['picture']>

/**
 * A step, and what it says instead with a script of the owner's own, a strategy or an indicator.
 * Undefined: nothing.
 */
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
      'Log in at tradingview.com and open a chart of {tryOn}.',
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
      actions: [
        'Point at the script’s name on the chart. Press the gear, *Settings*.',
        'In *Inputs*, compare what you see with the picture below.',
        'With a strategy, enter in *Properties* the capital, order size and commission that you would really use. Press *Ok*.',
      ],
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
      title: 'Look at the past',
      intro:
        'A strategy has a backtest: TradingView has run it on past bars. Look at how it loses before you look at how it wins.',
      actions: [
        'Open *Strategy Report* below the chart, once called *Strategy Tester*.',
        'Find *Max equity drawdown*, the largest fall from a high. Could you have sat through it?',
        'Open *List of trades* and read ten in a row. Look for runs of small losses where the price went nowhere.',
        'With an indicator, scroll the chart to the left instead. Note ten signals in a row, and what the price did next.',
      ],
      picture: undefined,
      caption: undefined,
      youShouldSee: 'What followed each signal, also where it was wrong.',
      help: 'If there is no report, the script is an indicator, which makes no trades. An empty list usually means too few bars, or an order that is too small. Raise *Order size* in *Properties*, or load more history.',
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
        'Press *Alert* above the chart. As *Condition* choose the name of the script, then *Order fills only*; with an indicator, one of its signals. Press *Create*.',
        'Wait for the next signal on the chart. Open *Alerts* on the right, then the tab *Log*.',
        'Delete the alert, and return to your own bars.',
      ],
      youShouldSee: 'One message in the log for the signal.',
      help: 'If there is no new signal, the script has not given one: wait, or take another symbol. If there is a signal but no message, delete the alert and make a new one. An indicator that offers no signals has no alerts.',
      facts: [
        {
          name: 'Plan',
          text: 'An alert on a script counts as a technical alert. TradingView’s free plan may have none.',
        },
        {
          name: 'Nothing is traded',
          text: 'Without a webhook an alert is only a message. No order leaves TradingView.',
        },
      ],
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
      intro:
        'One alert on a strategy sends a message for every order. With an indicator, each signal may need its own.',
      actions: [
        'Press *Alert* above the chart, or Alt A.',
        'As *Condition* choose the name of the script, then *Order fills only*; with an indicator, the signal.',
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
    help: 'Did the alert trigger? The alert log says so. Then paste the test address from your page instead, and see what arrives.',
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
      youShouldSee: 'After the next alert, the message in the log of your bridge.',
    },
    link: {
      text: 'TradingView on webhooks',
      url: 'https://www.tradingview.com/support/solutions/43000529348/',
    },
  },
]

/** The steps. Those for an own script show no run of ours, and none of its inputs and messages. */
function stepsOf(given: 'our script' | 'own script'): GuideStep[] {
  return defaultSteps.map(({ withOwnScript, ...ours }) => ({
    ...ours,
    ...(given === 'own script' && (withOwnScript as Partial<GuideStep>)), // undefined: left out
  }))
}

export const setupGuideTexts = part(
  {
    label: 'Cover and headings',
    drawn: ['guide'],
    shownWith: 'our guide',
    names: ['copyScript', 'scriptName', 'oldScript', 'bridges'],
    group: 'guide',
  },
  {
    title: text('Setup guide', {
      label: 'Title',
      where: 'Cover, head of each page, name of the PDF.',
      room: 40,
    }),
    subtitle: lines('The {script} starter script, from download to a simulated first run.', {
      label: 'Subtitle',
      where: 'On the cover.',
      room: 140,
      withOwn: { script: 'The {script} script, from download to a first look at what it does.' },
    }),
    coverCaption: text('illustration on sample data', {
      label: 'Caption of the cover',
      where: 'Below the two lines.',
      room: 60,
      shownWith: 'our script',
    }),
    coverDrawing: lines(
      'Two lines: the fast average crosses above the slow one, climbs, and crosses back below it.',
      {
        label: 'Drawing of the cover in words',
        where: 'Alternative text for screen readers.',
        room: 200,
        hidden: true,
        shownWith: 'our script',
      },
    ),
    edition: text('For the script of the same version.', {
      label: 'Edition',
      where: 'On the cover, after the version and its date.',
      room: 80,
    }),
    done: text('<10 min', {
      label: 'Done',
      where: 'On the cover, after the last step with minutes.',
      room: 12,
    }),
    youShouldSee: text('You should see now:', {
      label: 'You should see now',
      where: 'Near the end of every step.',
      room: 40,
    }),
    nothingThere: text('Nothing there?', {
      label: 'Nothing there?',
      where: 'At the end of every step.',
      room: 40,
    }),
    falseSignal: [
      text('False signal: bought,', {
        label: 'False signal, first line',
        where: 'In the chart.',
        room: 30,
        drawn: ['guide', 'sharePicture'],
        shownWith: 'our script',
      }),
      text('then closed at a loss.', {
        label: 'False signal, second line',
        where: 'In the chart.',
        room: 30,
        drawn: ['guide', 'sharePicture'],
        shownWith: 'our script',
      }),
    ],
    crossingDrawing: text('Candles with two averages, on sample data.', {
      label: 'The chart in words',
      where: 'Alternative text for screen readers.',
      room: 120,
      hidden: true,
      shownWith: 'our script',
    }),
    steps: list(
      stepsOf('our script'),
      {
        label: 'Steps',
        under: 'Steps',
        where: 'A page of the guide each.',
        min: 1,
        max: 16,
        timed: true,
        withOwn: { script: stepsOf('own script') },
      },
      step,
    ),
    paper: part(
      { label: 'After the steps', where: 'The page after the steps.' },
      {
        id: constant('simulate-first'),
        title: text('Simulate first', {
          label: 'Title',
          room: 40,
          withOwn: { script: 'Watch it first' },
        }),
        intro: lines('The setup is done. Let the simulation run.', {
          label: 'Opening',
          room: 300,
          withOwn: { script: 'The setup is done. Watch the script before you follow it.' },
        }),
        rules: list(
          [
            'Leave the script on the chart. It trades each new bar in its own simulation and sends no order. *Paper Trading* is something else. Before a webhook, read the section on automated use in TradingView’s terms; then use a demo account. Go on until you have seen losing runs live: weeks, not days.',
            'Compare each live entry with the backtest: the same bar, about the same price. If they differ, find out why before you go on.',
            'Change one thing at a time, write down what and why, and start counting again. A changed input needs a new alert.',
            'When you start with real money, use an amount that you can lose without harm. Know how to stop it all: delete the alert, then close the position at the broker.',
          ],
          {
            label: 'Rules',
            min: 1,
            max: 8,
            withOwn: {
              script: [
                'Leave the script on the chart. A strategy trades each new bar in its own simulation and sends no order; with an indicator, write down what you would have done. *Paper Trading* is something else. Before a webhook, read the section on automated use in TradingView’s terms; then use a demo account. Go on until you have seen losing runs live: weeks, not days.',
                'Compare each live signal with those on past bars: the same bar, about the same price. If they differ, find out why before you go on.',
                'Change one thing at a time, write down what and why, and start counting again. A changed input needs a new alert.',
                'When you start with real money, use an amount that you can lose without harm. Know how to stop it all: delete the alert, then close the position at the broker.',
              ],
            },
          },
          each.lines({ label: 'Rule', room: 480 }),
        ),
        limitsTitle: text('What the script does not do', {
          label: 'Title of the limits',
          where: 'Below the rules.',
          room: 60,
        }),
        limits: list(
          [
            'It knows nothing about your account. If an order fails at the broker, the script does not notice.',
            'It decides on closed bars and is filled at the open of the next one, so you bear any gap between the two.',
            'It has no stop unless you set one in the Inputs. TradingView watches that stop, not your broker, unless you also turn on *Send stop and target to the bridge*.',
            'It holds positions overnight unless *Flat at the end of the session* is on. That switch does not know half days.',
          ],
          {
            label: 'Limits',
            where: 'Below the rules.',
            min: 1,
            max: 8,
            withOwn: {
              script: [
                'It knows nothing about your account. If an order fails at the broker, the script does not notice.',
                'It does not know how your broker fills an order. Live fills differ from what past bars show.',
              ],
            },
          },
          each.lines({ label: 'Limit', room: 320 }),
        ),
      },
    ),
    inputs: part(
      { label: 'Last pages', where: 'Above the settings.' },
      {
        id: constant('every-input'),
        title: text('Every input', {
          label: 'Title',
          where: 'The page with the settings of the script.',
          room: 40,
        }),
        intro: lines(
          'Taken from the script: the name, the default, and the note behind the small i in the dialog.',
          { label: 'Opening', where: 'The page with the settings of the script.', room: 240 },
        ),
        columns: [
          text('Input', { label: 'First column', room: 24 }),
          text('Default', { label: 'Second column', room: 24 }),
          text('What it does', { label: 'Third column', room: 24 }),
        ],
      },
    ),
    versions: part(
      { label: 'Last pages' },
      {
        id: constant('versions'),
        title: text('Versions', { label: 'Title', where: 'The page with the versions.', room: 40 }),
        intro: lines('{oldScript} Your page has the newest version of both files.', {
          label: 'Opening',
          where: 'The page with the versions.',
          room: 300,
        }),
      },
    ),
    risk: part(
      { label: 'Last pages' },
      {
        id: constant('risk'),
        title: text('Risk', { label: 'Title', where: 'The last page.', room: 40 }),
        trademarks: lines(
          'The charts in this guide are drawn from sample data, not from a market. TradingView and Pine Script are trademarks of TradingView, Inc., which has no part in this guide.',
          {
            label: 'Sample data and trademarks',
            where: 'The last page.',
            room: 400,
            withOwn: {
              script:
                'TradingView and Pine Script are trademarks of TradingView, Inc., which has no part in this guide.',
            },
          },
        ),
      },
    ),
  },
)

export const setupGuide = valuesOf(setupGuideTexts)
