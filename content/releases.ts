/** One version of our script and its guide. */
export interface KitRelease {
  /** As in the script's header. */
  readonly version: string
  /** YYYY-MM-DD. */
  readonly date: string
  /** One sentence each, for people who have the version before. */
  readonly changes: readonly string[]
}

/** The newest first. The guide tells the changes of the version it belongs to. */
export const releases: readonly KitRelease[] = [
  {
    version: '1.1.0',
    date: '2026-11-22',
    changes: [
      'The JSON message sends `signalPrice` instead of `price`: TradersPost makes a limit order of a `price`. If your own server reads `price`, change it there.',
      'The template for PineConnector gives the size in lots, `vol_lots=0.01`. The unit of `risk=1` depended on the settings of the EA.',
      'An alert keeps the script it was made with: paste the new script, then delete the old alert and create a new one.',
    ],
  },
  { version: '1.0.0', date: '2026-11-21', changes: [] },
]
