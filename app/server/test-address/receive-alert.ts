import { TextDecoder } from 'node:util'
import { type KnownMessage } from '#site/kit/alert/known-messages.ts'
import { maskSecrets } from '#site/kit/alert/mask-secrets.ts'
import { readAlert, readingAsText } from '#site/kit/alert/read-alert.ts'
import type { Database, Reader } from '../database/database.ts'
import { readLimit, useLimit } from '../database/limit-windows.ts'
import { addArrival, findByKey, type NewArrival } from './test-addresses.ts'

/** TradingView says where its webhooks come from: tradingview.com/support/solutions/43000529348. */
const tradingViewSenders: ReadonlySet<string> = new Set([
  '52.89.214.238',
  '34.212.75.30',
  '54.218.53.128',
  '52.32.178.7',
])

const minuteMs = 60_000
const arrivalsAMinute = 60
const maxContentTypeLength = 100

/** A post to an open address. */
export interface Posted {
  body: Uint8Array
  contentType: string
  /** The sender's IP address. */
  sender: string
}

/** The messages and words that are needed to read a message. */
export interface Reading {
  known: readonly KnownMessage[]
  /** The words about a message without a fault. */
  nothingWrong: string
}

/**
 * Stores a message at an open address, without its secrets. `ended`: there is no such address any
 * more. `too-many`: it had 60 within a minute, and nothing is written.
 */
export function receiveAlert(
  database: Database,
  key: string,
  { arrival, now }: { arrival: NewArrival; now: number },
): Promise<'stored' | 'ended' | 'too-many'> {
  return database.transaction(async (transaction) => {
    await transaction.lock(`test-address ${key}`)
    const address = await findByKey(transaction, key, now)
    if (!address) return 'ended'
    if ((await waitOf(transaction, address.subscriber, now)) !== undefined) return 'too-many'
    await useLimit(transaction, limitName(address.subscriber), minuteMs, now)
    await addArrival(transaction, address, arrival, now)
    return 'stored'
  })
}

/** Returns how long the address takes no messages, in ms, or undefined if it takes one now. */
export async function waitOf(
  reader: Reader,
  subscriber: number,
  now: number,
): Promise<number | undefined> {
  const open = await readLimit(reader, limitName(subscriber), now)
  return open && open.used >= arrivalsAMinute ? open.endsAt - now : undefined
}

const limitName = (subscriber: number) => `test-address ${subscriber}`

/** Returns the arrival that is stored for a post, whatever its type and its bytes. */
export function arrivalFrom(
  { body, contentType, sender }: Posted,
  { known, nothingWrong }: Reading,
): NewArrival {
  const text = new TextDecoder().decode(body) // never throws: what is no UTF-8 becomes U+FFFD
  const message = maskSecrets(withoutControls(text), known)
  const reading = readAlert(message, known)
  return {
    contentType: withoutControls(contentType).slice(0, maxContentTypeLength),
    fromTradingView: tradingViewSenders.has(sender),
    message,
    verdict: readingAsText(reading, nothingWrong),
    order: reading.faults.length === 0 ? reading.order : undefined,
  }
}

/** PostgreSQL stores no NUL. */
function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are meant
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (found) =>
    found === '\r' ? '' : '\u{FFFD}',
  )
}
