import recorded from '../artwork/sample-run.json' with { type: 'json' }

/** One bar of a price series; prices in the symbol's currency. */
export interface Bar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** One trade; bars are indexes of the series, prices the fills. A trade still open has no exit. */
export interface Trade {
  readonly entryBar: number
  readonly entryPrice: number
  readonly exitBar?: number
  readonly exitPrice?: number
}

/**
 * The script's run with its own defaults on made-up prices. Every chart of this product shows it.
 */
export interface SampleRun {
  /** The lengths of the two averages. */
  readonly lengths: { readonly fast: number; readonly slow: number }
  /** Bars 0 to 119 of the chart. */
  readonly bars: readonly Bar[]
  readonly fast: readonly number[]
  readonly slow: readonly number[]
  /** With the messages that the script sends for its orders. */
  readonly trades: readonly (Trade & {
    readonly entryMessage: string
    readonly exitMessage?: string
  })[]
}

/**
 * `npm run artwork` executes the script and records the run, so that the charts always show what
 * the script does.
 */
export const sampleRun: SampleRun = recorded

/** A closed trade, with the messages that the script sent for it. */
export interface ClosedTrade extends Required<Trade> {
  readonly entryMessage: string
  readonly exitMessage: string
  readonly isLoss: boolean
}

/** The trade that the texts are about: the first that loses, else the first that is closed. */
export function exampleTrade(run: SampleRun): ClosedTrade | undefined {
  const closed = closedTrades(run)
  return closed.find(({ isLoss }) => isLoss) ?? closed[0]
}

export function closedTrades({ trades }: SampleRun): ClosedTrade[] {
  return trades.flatMap(({ exitBar, exitPrice, exitMessage, ...entry }) =>
    exitBar === undefined || exitPrice === undefined || exitMessage === undefined
      ? []
      : [{ ...entry, exitBar, exitPrice, exitMessage, isLoss: exitPrice < entry.entryPrice }],
  )
}
