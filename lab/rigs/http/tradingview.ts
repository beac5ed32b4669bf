import { setTimeout as sleep } from 'node:timers/promises'

/** The addresses that TradingView sends from. */
export const tradingViewAddresses = [
  '52.89.214.238',
  '34.212.75.30',
  '54.218.53.128',
  '52.32.178.7',
] as const

export interface FiredAlert {
  /** The status of each try; undefined without an answer in time. */
  statuses: (number | undefined)[]
  /** The time of the last try, in ms. */
  ms: number
}

export interface TradingViewWaits {
  /** For an answer. TradingView waits three seconds; a busy machine may need more. */
  withinMs?: number
  /** Before the next try. TradingView waits five seconds. */
  untilAgain?: () => Promise<unknown>
}

/**
 * Posts a message as TradingView documents it: JSON as such and other text as plain text, and after
 * a 5xx (but not 504) three more tries. A proxy in front of the server writes the sender's address.
 */
export async function fireAlert(
  url: string,
  message: string,
  { withinMs = 100_000, untilAgain = () => sleep(5_000) }: TradingViewWaits = {},
): Promise<FiredAlert> {
  const statuses: (number | undefined)[] = []
  for (;;) {
    const start = performance.now()
    const status = await post(url, message, withinMs)
    statuses.push(status)
    const isFault = status !== undefined && status >= 500 && status !== 504
    if (!isFault || statuses.length === 4) return { statuses, ms: performance.now() - start }
    await untilAgain()
  }
}

async function post(url: string, message: string, withinMs: number): Promise<number | undefined> {
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      body: message,
      redirect: 'manual',
      signal: AbortSignal.timeout(withinMs),
      headers: {
        'content-type': isJson(message)
          ? 'application/json; charset=utf-8'
          : 'text/plain; charset=utf-8',
        'x-forwarded-for': tradingViewAddresses[0],
      },
    })
    return status
  } catch {
    return undefined
  }
}

/** True if all of the text is JSON. */
function isJson(message: string): boolean {
  try {
    JSON.parse(message)
    return message.endsWith('}')
  } catch {
    return false
  }
}
