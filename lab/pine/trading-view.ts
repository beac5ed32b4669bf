/** As https://www.tradingview.com/support/solutions/43000529348/ describes the sender of webhooks (read 2026-11-22). */
const tradingViewSender = '52.89.214.238'
const cutAfterMs = 3_000

interface SendOptions {
  /** The port of this machine to which the proxy of the address would pass the message. */
  passTo: number
  /** The value that the proxy sends. */
  from?: string | undefined
}

/** Posts an alert's message, JSON as JSON and anything else as text. Returns the status of the answer. */
export async function postAsTradingView(
  address: string,
  message: string,
  { passTo, from = tradingViewSender }: SendOptions,
): Promise<number> {
  const type = message.startsWith('{') ? 'application/json' : 'text/plain'
  const answer = await fetch(`http://127.0.0.1:${passTo}${new URL(address).pathname}`, {
    method: 'POST',
    body: message,
    headers: { 'content-type': type, 'x-forwarded-for': from },
    signal: AbortSignal.timeout(cutAfterMs),
  })
  return answer.status
}
