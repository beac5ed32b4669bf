import { type Bridge, type ExitsSwitch, scriptMessage } from '../bridges/bridge.ts'
import { jsonFault } from './json-fault.ts'
import type { KnownMessage } from './known-messages.ts'
import { isExact, type Match, matchMessage, withPlainSpaces } from './match-message.ts'
import { type Order, orderInWords, orderOf } from './order.ts'

/** A message of TradingView, read: what it would do, and what is off with it. */
export interface AlertReading {
  /** One sentence. Undefined: the message does not say. */
  readonly does: string | undefined
  readonly order: Order['kind'] | undefined
  /** Sentences. None: it is one of the messages that are known, and whole. */
  readonly faults: readonly string[]
}

/** The bridge and the fields that are chosen on the page. */
export interface Chosen {
  readonly bridge: Bridge
  readonly exits: ExitsSwitch
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
  const text = message.trim()
  const json = readJson(text)
  const own = tradingViewsOwn(text)
  if (own) return own
  const unreplaced = placeholdersIn(text)
  // A message without the script's words has nothing to compare.
  const best = text.includes(scriptMessage) ? undefined : bestMatch(text, json.value, known, chosen)
  const bridge = best?.known.bridge
  const order = best && orderOf(best.match.values)
  const faults = [
    ...unreplaced,
    ...(json.fault === undefined ? [] : [json.fault]),
    ...placesIn(text, bridge),
    ...(best ? differences(best, chosen) : strangeness(json, known, chosen, unreplaced.length > 0)),
    ...(best && order ? exitFaults(order, best.known, chosen) : []),
    ...endlessContracts(text),
  ]
  const named = best?.known.named
  const does =
    order?.symbol === undefined
      ? named && `It is the message “${named.name}”.`
      : orderInWords(order, bridge)
  return { does, order: named?.order ?? order?.kind, faults }
}

/** A reading in one text, for a list. */
export function readingAsText({ does, faults }: AlertReading, nothingWrong: string): string {
  return [does, ...(faults.length > 0 ? faults : [nothingWrong])].filter(Boolean).join(' ')
}

interface ReadJson {
  readonly value: unknown
  /** A sentence. */
  readonly fault: string | undefined
}

function readJson(text: string): ReadJson {
  if (!/^[{["“”]/.test(text) || /^\{\{[^{}]+\}\}$/.test(text)) {
    return { value: undefined, fault: undefined }
  }
  const fault = jsonFault(text)
  if (!fault) return { value: JSON.parse(text), fault: undefined }
  // A place without quotes is told as a placeholder, not as broken JSON.
  const quoted = text.replaceAll(/"(?:[^"\\]|\\.)*"|\{\{[^{}]+\}\}/g, (piece) =>
    piece.startsWith('"') ? piece : JSON.stringify(piece),
  )
  if (!jsonFault(quoted)) return { value: JSON.parse(quoted), fault: undefined }
  const { line, column, why } = fault
  return {
    value: undefined,
    fault: `The JSON is broken at line ${line}, character ${column}: ${why}.`,
  }
}

/** The sentence that TradingView puts into the box of an alert on a strategy. */
const ownSentence =
  '{{strategy.title}}: order {{strategy.order.action}} @ {{strategy.order.contracts}} filled on {{ticker}}. New strategy position is {{strategy.position_size}}'

function tradingViewsOwn(text: string): AlertReading | undefined {
  if (!matchMessage(ownSentence, text, undefined)) return undefined
  return {
    does: undefined,
    order: undefined,
    faults: [
      'The box still has TradingView’s own sentence, which no bridge can read. Paste the message from this page over it.',
    ],
  }
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

interface Best {
  readonly known: KnownMessage
  readonly match: Match
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
  return [{ known, match: { values: new Map(), missing: [], unknown: [], different: [] } }]
}

function faultsOf({ match: { missing, unknown, different } }: Best): number {
  return missing.length + unknown.length + different.length
}

function differences({ known, match }: Best, chosen: Chosen | undefined): string[] {
  const { missing, unknown, different } = match
  const list = (keys: readonly string[]) => keys.map((key) => `“${key}”`).join(', ')
  const whose = nameOf(known)
  const faults = [
    missing.length > 0 && `${whose} also has ${list(missing)}.`,
    unknown.length > 0 && `${whose} has no ${list(unknown)}.`,
    different.length > 0 && `${whose} has another value at ${list(different)}.`,
  ].filter((fault) => fault !== false)
  const other = isExact(match) ? otherThanChosen(known, chosen) : undefined
  return other === undefined ? faults : [...faults, other]
}

function nameOf({ bridge, named }: KnownMessage): string {
  if (bridge) return `The message for ${bridge.name}`
  return named ? `The message “${named.name}”` : 'The script’s message'
}

function otherThanChosen(
  { bridge, format }: KnownMessage,
  chosen: Chosen | undefined,
): string | undefined {
  if (bridge && chosen && bridge !== chosen.bridge) {
    return `This is the message for ${bridge.name}. On this page you chose ${chosen.bridge.name}.`
  }
  if (bridge || format === undefined) return undefined
  const wanted = chosen?.bridge.messageFormat
  if (wanted !== undefined && wanted !== format) {
    return `The script’s Message format is “${format}”. For ${chosen?.bridge.name} it must be “${wanted}”.`
  }
  return `This is the script’s message alone (Message format “${format}”). The message box needs the whole message from this page.`
}

/** No known message is like it. */
function strangeness(
  json: ReadJson,
  known: readonly KnownMessage[],
  chosen: Chosen | undefined,
  isFromBox: boolean,
): string[] {
  if (json.fault !== undefined || known.length === 0 || isFromBox) return []
  if (chosen?.bridge.ownMessage !== undefined && json.value !== undefined) {
    return [
      `${chosen.bridge.name} wrote this message itself, so this page does not know what it does. It is whole JSON.`,
    ]
  }
  return ['This is none of the messages that the script and this page make.']
}

function exitFaults(order: Order, { bridge }: KnownMessage, chosen: Chosen | undefined): string[] {
  if (!bridge?.withExits || chosen?.bridge !== bridge || order.kind !== 'entry') return []
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
