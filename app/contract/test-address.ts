/** A visitor's own address for trying an alert is this path and its key. */
export const alertsPath = '/alerts/'

/** Bytes of one message. */
export const maxAlertBytes = 4096

/** The newest are kept. */
export const maxArrivals = 20

/** The answer of `GET /kit/TOKEN/alerts`. Times are ISO 8601. */
export interface TestAddressState {
  /** The address that is open, or null. */
  readonly address: string | null
  readonly endsAt: string | null
  /** The newest first. */
  readonly arrivals: readonly Arrival[]
  /** A whole message of an entry has arrived. */
  readonly entrySeen: boolean
  readonly exitSeen: boolean
}

export interface Arrival {
  readonly at: string
  /** The header as it was sent; empty if it was left out. */
  readonly contentType: string
  /** The sender is one of TradingView's published addresses. */
  readonly fromTradingView: boolean
  /** The message as it was sent, without the values of secrets. */
  readonly message: string
  /** A reading of the message that does not know what is chosen on the page. */
  readonly verdict: string
}
