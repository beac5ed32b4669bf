import { type Bridge, scriptMessage } from '../bridges/bridge.ts'
import { type Best, type Chosen, differences, nameOf } from './differences.ts'
import { jsonFault, repeatedNames } from './json-fault.ts'
import type { KnownMessage } from './known-messages.ts'
import {
  faultsIn,
  isAlikeInPlain,
  isNumber,
  matchMessage,
  type Misfit,
  misfitsIn,
  wholeMatch,
  withPlainSpaces,
} from './match-message.ts'
import { withPlainCharacters } from './odd-characters.ts'
import { contradiction, type Order, type OrderKind, orderInWords, orderOf } from './order.ts'
import {
  halfPlaceholder,
  isTranslated,
  onlyOwnSentence,
  ownSentence,
  several,
  type Wrapping,
  wrappingOf,
} from './wrapping.ts'

/** A message of TradingView, read: what it would do, and what is off with it. */
export interface AlertReading {
  /** One sentence. Undefined: the message does not say. */
  readonly does: string | undefined
  readonly order: OrderKind | undefined
  /** Sentences. None: it is one of the messages that are known, and whole. */
  readonly faults: readonly string[]
}

/**
 * Reads a message as TradingView sent it. It is compared with the messages that the script and the
 * page make, never with what a bridge might take. `chosen`: leave it out where nothing is chosen.
 */
export function readAlert(
  message: string,
  known: readonly KnownMessage[],
  chosen?: Chosen,
): AlertReading {
  const { text, faults: odd } = withPlainCharacters(message)
  if (text === '') return unreadable(['The message is empty.'])
  const own = ownSentence(text) ?? halfPlaceholder(text, known)
  if (own) return unwrapped(own, odd, known, chosen)
  const json = readJson(text)
  const unreplaced = placeholdersIn(text)
  // A message without the script's words has nothing to compare.
  const isPlaceholder = text.includes(scriptMessage) || lonePlaceholder.test(text)
  const best = isPlaceholder ? undefined : bestMatch(text, json.value, known, chosen)
  if (!best && !isPlaceholder) {
    const wrapping = wrappingOf(text, json.value) ?? linesOf(text, known)
    if (wrapping) return unwrapped(wrapping, odd, known, chosen)
  }
  const bridge = best?.known.bridge
  const order = best && orderOf(best.match.values)
  const contrary = order && !best.known.named ? contradiction(order) : undefined
  const faults = [
    ...odd,
    ...unreplaced,
    ...json.faults,
    ...placesIn(text, bridge),
    ...(best
      ? differences(best, chosen)
      : strangeness(text, json, known, chosen, unreplaced.length > 0)),
    ...(contrary === undefined ? [] : [contrary]),
    ...(best && order ? exitFaults(order, best.known, chosen) : []),
    ...endlessContracts(text),
  ]
  const named = best?.known.named
  if (contrary !== undefined) return unreadable(faults)
  const does =
    order?.symbol === undefined
      ? named && `It is the message “${named.name}”.`
      : orderInWords(order, bridge)
  return { does, order: named?.order ?? order?.kind, faults }
}

function unreadable(faults: readonly string[]): AlertReading {
  return { does: undefined, order: undefined, faults }
}

/** With what is off with the message inside, if there is one. */
function unwrapped(
  { fault, inner }: Wrapping,
  odd: readonly string[],
  known: readonly KnownMessage[],
  chosen: Chosen | undefined,
): AlertReading {
  const inside = inner === '' ? [] : readAlert(inner, known, chosen).faults
  return unreadable([...odd, fault, ...inside])
}

/** Several lines, each of which is a message. */
function linesOf(text: string, known: readonly KnownMessage[]): Wrapping | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isMessage = (line: string) => bestMatch(line.trim(), undefined, known, undefined)
  return lines.length > 1 && lines.every(isMessage) ? several(lines.length) : undefined
}

/** A reading in one text, for a list. */
export function readingAsText({ does, faults }: AlertReading, nothingWrong: string): string {
  return [does, ...(faults.length > 0 ? faults : [nothingWrong])].filter(Boolean).join(' ')
}

interface ReadJson {
  readonly value: unknown
  /** Sentences. */
  readonly faults: readonly string[]
}

const lonePlaceholder = /^\{\{[^{}]+\}\}$/

function readJson(text: string): ReadJson {
  if (!/^(?:\{(?!\{)|["[“”])/.test(text)) return { value: undefined, faults: [] }
  const fault = jsonFault(text)
  if (!fault) {
    const faults = repeatedNames(text).map(
      (name) => `“${name}” stands in it twice. Delete one of them.`,
    )
    return { value: JSON.parse(text), faults }
  }
  // A place without quotes is told as a placeholder, not as broken JSON.
  const quoted = text.replaceAll(/"(?:[^"\\]|\\.)*"|\{\{[^{}]+\}\}/g, (piece) =>
    piece.startsWith('"') ? piece : JSON.stringify(piece),
  )
  if (!jsonFault(quoted)) return { value: JSON.parse(quoted), faults: [] }
  const { line, column, why } = fault
  const words = `The JSON is broken at line ${line}, character ${column}: ${why}.`
  return { value: undefined, faults: [words] }
}

function placeholdersIn(text: string): string[] {
  const names = [...new Set(text.match(/\{\{[^{}]{1,80}\}\}/g))]
  if (names.length === 0) return []
  if (names.includes(scriptMessage)) {
    return [
      `${scriptMessage} was not replaced. Either this comes from the box instead of the log, or the alert’s condition is not the script with “Order fills only”.`,
    ]
  }
  const [verb, it] = names.length === 1 ? ['was', 'its'] : ['were', 'their']
  return [
    `${names.join(', ')} ${verb} not replaced. Check ${it} spelling. If it is right, this comes from the box instead of the log.`,
  ]
}

function placesIn(text: string, bridge: Bridge | undefined): string[] {
  return [...new Set(text.match(/\bYOUR-[A-Z-]+/g))].map((word) => {
    const is = bridge?.places.find((place) => place.word === word)?.is
    return `${word} is still in it. Replace it at TradingView${is ? ` by ${is}` : ''}.`
  })
}

/** The chosen bridge's comes first, then the order of the list. */
function bestMatch(
  text: string,
  json: unknown,
  known: readonly KnownMessage[],
  chosen: Chosen | undefined,
): Best | undefined {
  const found = known.flatMap((one): Best[] => {
    const match = matchMessage(one.template, text, json)
    return match && match.values.size > 0
      ? [{ known: one, match }]
      : matchesWithoutPlaces(one, text)
  })
  const isChosens = ({ known: { bridge } }: Best) =>
    bridge !== undefined && bridge === chosen?.bridge
  const ranked = found.toSorted(
    (a, b) => faultsOf(a) - faultsOf(b) || Number(isChosens(b)) - Number(isChosens(a)),
  )
  const [best] = ranked
  // A message with more faults than places that fit is another one.
  return best && faultsOf(best) <= best.match.values.size ? best : undefined
}

/** An owner may have named a message that is always the same. */
function matchesWithoutPlaces(known: KnownMessage, text: string): Best[] {
  if (withPlainSpaces(known.template) !== withPlainSpaces(text)) return []
  return [{ known, match: wholeMatch(new Map()) }]
}

function faultsOf({ match }: Best): number {
  return faultsIn(match)
}

/** No known message is like it. */
function strangeness(
  text: string,
  json: ReadJson,
  known: readonly KnownMessage[],
  chosen: Chosen | undefined,
  isFromBox: boolean,
): string[] {
  if (json.faults.length > 0 || known.length === 0 || isFromBox) return []
  if (chosen?.bridge.ownMessage !== undefined && json.value !== undefined) {
    return [
      `${chosen.bridge.name} wrote this message itself, so this page does not know what it does. It is whole JSON.`,
    ]
  }
  const alike = known.find(({ template }) => isAlikeInPlain(template, text))
  if (alike) return [`Only spaces or capitals differ from the ${nameOf(alike)}. Copy it again.`]
  if (isTranslated(text)) return [onlyOwnSentence]
  const misfits = known.flatMap((one) => misfitsIn(one.template, text).map(misfitInWords))
  if (misfits.length > 0) return misfits.slice(0, 1)
  return ['This is none of the messages that the script and this page make.']
}

function misfitInWords({ place, value }: Misfit): string {
  return isNumber(place)
    ? `“${value}” stands where a number above 0 belongs, such as 0.01.`
    : `“${value}” does not belong where it stands.`
}

function exitFaults(order: Order, known: KnownMessage, chosen: Chosen | undefined): string[] {
  const { bridge } = known
  if (known.sendExits !== undefined) return [] // told already
  if (!bridge?.withExits || chosen?.bridge !== bridge || order.kind === 'exit') return []
  const { stop, target } = order
  if (chosen.exits === 'off') {
    if (stop === undefined && target === undefined) return []
    return ['It carries a stop or a target. On this page “Stop and target” is off.']
  }
  if (stop !== undefined) return []
  return [
    target === undefined
      ? '“Stop and target” is on, but this entry carries neither. In the script’s settings, check “Stop, %” and “Send stop and target to the bridge”.'
      : '“Stop and target” is on, but this entry carries no stop. In the script’s settings “Stop, %” is 0.',
  ]
}

function endlessContracts(text: string): string[] {
  return [...new Set(text.match(/\b\d?[A-Z][A-Z\d]{0,9}[12]!/g))].map(
    (symbol) =>
      `${symbol} is TradingView’s endless contract, which no broker trades. Name the month, as in NQZ2026.`,
  )
}
