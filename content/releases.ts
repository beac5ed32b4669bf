import { each, list, valuesOf } from './schema.ts'

/**
 * The versions of our script and its guide, the newest first: its version is that of the script, or
 * the build stops.
 */
export const releaseTexts = list(
  [
    {
      version: '1.4.0',
      date: '2026-11-28',
      changes: [
        'If its order is too small for one share or contract, the script says so on the chart.',
      ],
    },
    {
      version: '1.3.0',
      date: '2026-11-24',
      changes: [
        'New input *Trend length*, off: a long average that filters entries.',
        '*Flat at the end of the session* also closes a position if the bar before the last one is missing, and says when bars are too long for it.',
      ],
    },
    {
      version: '1.2.0',
      date: '2026-11-23',
      changes: [
        'New input *Flat at the end of the session*: a position is closed at the open of the session’s last bar, and none is opened there. With it off, a cross in the last bar is filled at the next day’s open, as before.',
        'New input *Send stop and target to the bridge*: the message of an entry has both, for TradersPost and PineConnector, so that your broker holds the stop too.',
        'Both are off. If you turn one on, delete the old alert and create a new one.',
      ],
    },
    {
      version: '1.1.0',
      date: '2026-11-22',
      changes: [
        'The JSON message sends `signalPrice` instead of `price`: TradersPost can turn a `price` into a limit order, depending on the subscription. If your own server reads `price`, change it there.',
        'The template for PineConnector gives the size in lots, `vol_lots=0.01`. The unit of `risk=1` depended on the settings of the EA.',
        'An alert keeps the script it was made with: paste the new script, then delete the old alert and create a new one.',
      ],
    },
    { version: '1.0.0', date: '2026-11-21', changes: [] },
  ],
  {
    label: 'Versions',
    under: 'Versions',
    where: 'In "What changed" and at the end of the guide.',
    min: 0,
    max: 100,
    group: 'versions',
    withOwn: { script: [] },
  },
  {
    version: each.text({ label: 'Version', room: 20, drawn: ['guide'], format: 'version' }),
    date: each.text({ label: 'Day', where: 'As 2026-11-30.', room: 10, format: 'day' }),
    changes: each.list(
      { label: 'What changed', min: 0, max: 12 },
      each.lines({ label: 'Change', room: 400, drawn: ['guide'] }),
    ),
  },
)

export const releases = valuesOf(releaseTexts)

/** One version of a script and its guide. */
export type KitRelease = (typeof releases)[number]

/** Its number, and its day as YYYY-MM-DD. */
export type KitVersion = Pick<KitRelease, 'version' | 'date'>
