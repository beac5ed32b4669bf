import { placeIn } from './json-fault.ts'

/** Characters that nobody sees, and spaces that are none to a program. */
const invisible = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/
const wideSpace = /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

/** The message with plain spaces alone, and a sentence about the first character that was odd. */
export function withPlainCharacters(message: string): { text: string; faults: string[] } {
  const trimmed = message.trim()
  const text = trimmed
    .replaceAll(new RegExp(invisible, 'g'), '')
    .replaceAll(new RegExp(wideSpace, 'g'), ' ')
    .trim()
  return { text, faults: [faultAt(trimmed, invisible), faultAt(trimmed, wideSpace)].flat() }
}

function faultAt(text: string, odd: RegExp): string[] {
  const at = text.search(odd)
  if (at === -1) return []
  const { line, column } = placeIn(text, at)
  const place = `at line ${line}, character ${column}`
  return [
    odd === invisible
      ? `There is an invisible character ${place}. Delete it, or copy the message again.`
      : `The space ${place} is not a plain one. Type it again, or copy the message again.`,
  ]
}
