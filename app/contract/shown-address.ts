import { parseEmailAddress } from './email-address.ts'

/**
 * Returns an address with its domain in the characters in which it was typed: Chromium turns
 * `ana@münchen.example` into `ana@xn--mnchen-3ya.example` before a page can read it.
 */
export function shownAddress(address: string): string {
  const shown = address.replaceAll(/\bxn--([a-z\d-]+)/gi, (label, encoded: string) => {
    return decodePunycode(encoded.toLowerCase()) ?? label
  })
  return parseEmailAddress(shown)?.address === address ? shown : address
}

// RFC 3492 5
const base = 36
const tMin = 1
const tMax = 26
const skew = 38
const damp = 700

/** RFC 3492 6.2. Undefined: it is not Punycode. */
function decodePunycode(encoded: string): string | undefined {
  const delimiter = encoded.lastIndexOf('-')
  const decoded = encoded.slice(0, Math.max(0, delimiter)).split('')
  let position = delimiter + 1
  let codePoint = 128
  let bias = 72
  let index = 0
  while (position < encoded.length) {
    const before = index
    let weight = 1
    for (let k = base; ; k += base) {
      const digit = digitOf(encoded[position])
      position += 1
      if (digit === undefined) return undefined
      index += digit * weight
      const threshold = Math.min(tMax, Math.max(tMin, k - bias))
      if (digit < threshold) break
      weight *= base - threshold
    }
    const length = decoded.length + 1
    bias = adaptBias(index - before, length, before === 0)
    codePoint += Math.floor(index / length)
    if (codePoint > 0x10ffff) return undefined
    index %= length
    decoded.splice(index, 0, String.fromCodePoint(codePoint))
    index += 1
  }
  return decoded.join('')
}

/** a to z are 0 to 25, and 0 to 9 are 26 to 35. */
function digitOf(character: string | undefined): number | undefined {
  const index = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(character ?? ' ')
  return index < 0 ? undefined : index
}

/** RFC 3492 6.1. */
function adaptBias(change: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(change / (isFirst ? damp : 2))
  delta += Math.floor(delta / length)
  let bias = 0
  while (delta > ((base - tMin) * tMax) / 2) {
    delta = Math.floor(delta / (base - tMin))
    bias += base
  }
  return bias + Math.floor(((base - tMin + 1) * delta) / (delta + skew))
}
