import type { KnownMessage } from './known-messages.ts'
import { findPlaces, fits, isNumber, isUnfilled } from './match-message.ts'

const mask = '•••'

/** Names behind which a secret stands, in JSON or before a sign. */
const secretName =
  '[\\w -]{0,40}(?:secret|passw|passphrase|token|licen[cs]e|auth|signature|uuid|credential|api.?key)[\\w -]{0,40}|[\\w -]{0,40}key|pass|passcode|pwd|pw|pin|otp|code'
/** A quotation mark, also of JSON inside a text of JSON. */
const quote = `\\\\{0,8}["'“”‘’]`
const quoted = [
  '"(?:[^"\\\\\\n]|\\\\.)*"?',
  '\\\\+"[^"\\n]*"?',
  `'[^'\\n]*'?`,
  '[“”][^“”"\\n]*[“”"]?',
  `[‘’][^‘’'\\n]*[‘’']?`,
].join('|')
const brackets = '\\{(?:[^{}]|\\{[^{}]*\\})*\\}?|\\[(?:[^[\\]]|\\[[^[\\]]*\\])*\\]?'
const bare = '[^\\s,}\\]:=](?:[^\\n,}\\]]*[^\\s,}\\]])?'
/** A colon or the first quote may be missing: the message may be broken. */
const inJson = new RegExp(
  `((?:${quote}|\\b)(?:${secretName})${quote}\\s{0,20}[:=]?\\s{0,20})(${quoted}|${brackets}|${bare})`,
  'gi',
)
const inText = new RegExp(
  `(\\b(?:${secretName})\\s{0,3}[=:]\\s{0,3})("[^"\\n,}][^"\\n]*"?|'[^'\\n,}][^'\\n]*'?|(?:(?:bearer|basic)\\s+)?[^\\s,;"'}]+)`,
  'gi',
)
/** A licence number at the start of a line, and what is too long and too mixed to be a word. */
const licenceNumber = /^([ \t]*["']?)(\d{6,20})(?=\s*[,;])/gm
const randomText = /[\w-]{20,200}/g
const passwordInAddress = /(:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g

/**
 * The message without the values that stand where a licence, a key or a secret belongs. Words such
 * as YOUR-SECRET stay: the reader tells that they were not replaced.
 */
export function maskSecrets(message: string, known: readonly KnownMessage[]): string {
  // A script may name its orders so, such as "code": "entry".
  const isPublic = (text: string) => known.some(({ template }) => template.includes(text))
  return maskPlaces(message, known)
    .replaceAll(inJson, (whole, name: string, value: string) =>
      isPublic(`"${withoutQuotes(value)}"`) ? whole : name + maskedValue(value),
    )
    .replaceAll(inText, (whole, name: string, value: string) =>
      isPublic(whole) ? whole : name + maskedValue(value),
    )
    .replaceAll(passwordInAddress, `$1${mask}`)
    .replaceAll(licenceNumber, `$1${mask}`)
    .replaceAll(randomText, (text) => (isRandom(text) ? mask : text))
}

/** Masks what stands at the template's YOUR-… in a line of text. */
function maskPlaces(message: string, known: readonly KnownMessage[]): string {
  const text = message.trim()
  for (const { template } of known) {
    const places = findPlaces(template, text, mayStandIn)?.filter(({ place }) => isSecret(place))
    if (!places || places.length === 0) continue
    return places.toReversed().reduce((masked, { start, end }) => {
      if (isUnfilled(masked.slice(start, end))) return masked
      return masked.slice(0, start) + mask + masked.slice(end)
    }, text)
  }
  return message
}

const isSecret = (place: string) => isFilledInByHand(place) && !isNumber(place)

/** A value that people type is one however it is spelled. */
function mayStandIn(place: string, value: string): boolean {
  return isFilledInByHand(place) ? value !== '' : fits(place, value)
}

function isFilledInByHand(place: string): boolean {
  return place.startsWith('YOUR-')
}

/** Keeps the quotes, so that a fault of theirs is still seen, and valid JSON stays valid. */
function maskedValue(value: string): string {
  const inner = withoutQuotes(value)
  if (inner === '' || inner === mask || isUnfilled(inner)) return value
  if (/^(?:[{[]|(?:-?\d[\d.]*|true|false|null)$)/.test(value)) return `"${mask}"`
  return (openingQuote.exec(value)?.[0] ?? '') + mask + (closingQuote.exec(value)?.[0] ?? '')
}

const openingQuote = /^\\{0,8}["'“”‘’]/
const closingQuote = /\\{0,8}["'“”‘’]$/

function withoutQuotes(value: string): string {
  return value.replace(openingQuote, '').replace(closingQuote, '')
}

function isRandom(text: string): boolean {
  const isMixed = /\d/.test(text) && /[a-z]/i.test(text)
  return isMixed && !text.startsWith('YOUR-') && !contract.test(text)
}

/** An option as exchanges name it: BANKNIFTY261126C52000, BTC-25DEC26-100000-C. */
const contract = /^[A-Z]{1,15}(?:\d{6}[CP]\d{1,8}|-\d{1,2}[A-Z]{3}\d{2}-\d{1,8}-[CP])$/
