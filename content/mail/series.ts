/** A letter of the series. */
export interface SeriesLetter {
  readonly subject: string
  /** Mail programs show it after the subject, before the mail is opened. */
  readonly preview: string
  /** Markdown. */
  readonly text: string
}

/**
 * The letters that follow the kit, for people whose consent covers them. They are off until you
 * switch the series on, at the desk or by a command; the days are in `seriesDays`. What a letter
 * says must be true of the script, the guide and TradingView.
 */
export const series: Readonly<Record<SeriesName, SeriesLetter>> = {
  firstAlert: {
    subject: 'Your first alert, in five minutes',
    preview: 'On one-minute bars, so that you see it today.',
    text: `The script is on your chart. Let it alert you once before you trust it.

1. Set the chart to **1 minute**. The script acts more often there, so you wait minutes, not days.
2. Press **Alert** above the chart.
3. As the condition choose the **name of the script**, and leave the message box as it is.
4. Under notifications tick **Show pop-up**. Leave the webhook empty today.
5. Press **Create**.

**What you should see.** At the next signal, a window with the message of the script. The list of alerts, at the right edge, shows it too.

**Nothing after half an hour?** Look at the list of alerts. "Stopped" means that the alert ended: start it again. If it is active, the script has given no signal: choose a market that is open and moves.

**Changed an input since?** An alert keeps the script as it was when you pressed Create. Delete it and make a new one.

Once it has fired, delete it, go back to your own bars, and create the one you mean to keep.

Stuck? Reply to this email and tell me which step.`,
  },
  sideways: {
    subject: 'When the market goes sideways',
    preview: 'Small losses in a row, and what to look at.',
    text: `Most rules do badly in a market that goes nowhere: they buy, sell, and lose a little each time. If yours does, nothing is wrong with your setup.

**See it for yourself**

1. Scroll the chart to a flat stretch.
2. Read ten signals in a row, and what the price did after each. With a strategy, the **List of trades** in the **Strategy Report** has them.
3. Compare with a stretch where the price ran one way.

**What you should see.** Which of the two stretches costs money. If there are no signals, load more history: scroll the chart to the left and wait.

**What you can try, one at a time**

- Longer bars: 1 hour instead of 5 minutes. Fewer trades, later entries.
- One input in the settings. Write down what you changed, and why.
- Nothing. Watch for two weeks before you change a number.

The setting that looks best on old data was fitted to old data. Do not expect the same from now on. No setting takes the losses away.

What does your market look like? Reply and tell me.`,
  },
  realMoney: {
    subject: 'Before real money',
    preview: 'A list to go through, and reasons to wait.',
    text: `Ten days is a short time. Nobody has to go further than watching, and most people should watch for longer. If you mean to connect a broker, go through this list first.

**On a practice account, for some weeks**

1. Connect your bridge to a **demo account**, with the smallest size it takes.
2. For each alert compare three logs: TradingView’s, the bridge’s and the broker’s.
3. Switch off your computer and your internet for an hour. Alerts run on TradingView’s servers, so orders should still arrive.

**What you should see.** One order for each alert, in the right direction and size. If one is missing or doubled, stop, and find out why before the next.

**Then decide**

- How much could you lose without harm? Put in no more than that.
- Is a **stop** set at the broker, and not only in the script?
- Do you know how to switch everything off: the alert, the bridge, the position?

A test on past bars only guesses fees and slippage; late fills cost more. A good one promises nothing about next month, and you can lose money.

Unsure? Go on watching. It costs nothing.`,
  },
}

export type SeriesName = 'firstAlert' | 'sideways' | 'realMoney'

/** Days after somebody asked for news. */
export const seriesDays: Readonly<Record<SeriesName, number>> = {
  firstAlert: 1,
  sideways: 4,
  realMoney: 10,
}
