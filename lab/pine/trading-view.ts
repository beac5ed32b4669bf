/** As https://www.tradingview.com/support/solutions/43000529348/ describes the sender of webhooks (read 2026-11-22). */
export const tradingViewSender = '52.89.214.238'
const cutAfterMs = 3_000

interface SendOptions {
  /** The port of this machine where the proxy of the address would pass to. */
  passTo: number
  /** As the proxy says it; undefined: there is none. */
  from?: string | undefined
  cutAfterMs?: number
}

/** Posts an alert's message: JSON as JSON, anything else as text; to the ports 80 and 443 only; cut after 3 s. */
export async function postAsTradingView(
  address: string,
  message: string,
  options: SendOptions,
): Promise<number> {
  const { protocol, port, pathname } = new URL(address)
  // A URL drops the port that its protocol implies.
  if (!['', '80', '443'].includes(port)) throw new Error(`TradingView sends nothing to port ${port}`)
  if (!/^https?:$/.test(protocol)) throw new Error(`TradingView sends nothing to ${protocol}`)
  const { passTo, from = tradingViewSender } = options
  const answer = await fetch(`http://127.0.0.1:${passTo}${pathname}`, {
    method: 'POST',
    body: message,
    headers: { 'content-type': isJson(message) ? 'application/json' : 'text/plain', 'x-forwarded-for': from },
    signal: AbortSignal.timeout(options.cutAfterMs ?? cutAfterMs),
  })
  return answer.status
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
