import { setTimeout as sleep } from 'node:timers/promises'

/** The addresses that TradingView sends from. */
export const tradingViewAddresses = [
  '52.89.214.238',
  '34.212.75.30',
  '54.218.53.128',
  '52.32.178.7',
] as const

export interface FiredAlert {
  /** The status of each try; undefined without an answer within three seconds. */
  statuses: (number | undefined)[]
  /** The time of the last try, in ms. */
  ms: number
}

/**
 * Posts a message as TradingView documents it: JSON as such and other text as plain text, three
 * seconds for an answer, and after a 5xx (but not 504) three more tries. A proxy in front of the
 * server writes the sender's address. `againAfterMs`: TradingView waits five seconds.
 */
export async function fireAlert(
  url: string,
  message: string,
  { againAfterMs = 5_000 }: { againAfterMs?: number } = {},
): Promise<FiredAlert> {
  const statuses: (number | undefined)[] = []
  for (;;) {
    const start = performance.now()
    const status = await post(url, message)
    statuses.push(status)
    const isFault = status !== undefined && status >= 500 && status !== 504
    if (!isFault || statuses.length === 4) return { statuses, ms: performance.now() - start }
    await sleep(againAfterMs)
  }
}

async function post(url: string, message: string): Promise<number | undefined> {
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      body: message,
      redirect: 'manual',
      signal: AbortSignal.timeout(3_000),
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
