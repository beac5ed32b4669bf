import type { KnownMessage } from './known-messages.ts'
import { findPlaces, isUnfilled } from './match-message.ts'

const mask = '•••'

/** Names behind which a secret stands, in JSON or before a sign. */
const secretName =
  '[\\w -]{0,40}(?:secret|passw|passphrase|token|licen[cs]e|auth|signature|uuid|api.?key)[\\w -]{0,40}|key|pin'
const opening = `["'“”‘’]`
const inJson = new RegExp(
  `(${opening}(?:${secretName})${opening}\\s*:\\s*)("(?:[^"\\\\\\n]|\\\\.)*"?|[^\\s,}\\]]+)`,
  'gi',
)
const inText = new RegExp(`(\\b(?:${secretName})\\s?[=:]\\s?)([^\\s,;"'}]+)`, 'gi')
/** A licence number at the start, and what is too long and too mixed to be a word. */
const licenceNumber = /^(\s*)(\d{6,20})(?=\s*,)/
const randomText = /[\w-]{20,200}/g

/**
 * The message without the values that stand where a licence, a key or a secret belongs. Words such
 * as YOUR-SECRET stay: the reader tells that they were not replaced.
 */
export function maskSecrets(message: string, known: readonly KnownMessage[]): string {
  return maskPlaces(message, known)
    .replaceAll(inJson, (_, name: string, value: string) => name + maskedJson(value))
    .replaceAll(inText, (whole, name: string, value: string) =>
      isUnfilled(value) ? whole : name + mask,
    )
    .replace(licenceNumber, `$1${mask}`)
    .replaceAll(randomText, (text) => (isRandom(text) ? mask : text))
}

/** Of a line of text: what stands at the template's YOUR-… . */
function maskPlaces(message: string, known: readonly KnownMessage[]): string {
  const text = message.trim()
  for (const { template } of known) {
    const places = findPlaces(template, text)?.filter(({ place }) => place.startsWith('YOUR-'))
    if (!places || places.length === 0) continue
    return places.toReversed().reduce((masked, { start, end }) => {
      if (isUnfilled(masked.slice(start, end))) return masked
      return masked.slice(0, start) + mask + masked.slice(end)
    }, text)
  }
  return message
}

function maskedJson(value: string): string {
  const inner = value.replace(/^"/, '').replace(/"$/, '')
  return inner === '' || isUnfilled(inner) ? value : `"${mask}"`
}

function isRandom(text: string): boolean {
  return /\d/.test(text) && /[a-z]/i.test(text) && !text.startsWith('YOUR-')
}
