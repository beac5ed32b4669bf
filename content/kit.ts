/** A message of the script, as the script sends it. */
export interface AlertMessage {
  /** An entry or an exit. */
  readonly mark: 'up' | 'down'
  readonly name: string
  readonly text: string
}

/**
 * The facts about the script that is given away. Every text uses them: `{script}`, `{rule}`,
 * `{tryOn}`.
 */
export interface Kit {
  readonly script: {
    /** Empty: the script's own title. */
    readonly name: string
  }
  /** What it does, in one sentence. */
  readonly rule: string
  /** A market and the length of its bars. */
  readonly tryOn: string
  /** Ours are worked out from its run. Without any the card with messages is left out. */
  readonly messages: readonly AlertMessage[]
}

export const kit: Kit = {
  script: { name: 'EMA crossover' },
  rule: 'It buys when the 9-bar average crosses above the 21-bar one, and sells when it crosses back.',
  tryOn: 'BTCUSD or AAPL and choose *1D*',
  messages: [],
}
