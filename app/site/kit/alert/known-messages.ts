import type { AlertMessage } from '#content/kit.ts'
import type { SiteContent } from '#site/site-content.ts'
import { type Bridge, type ExitsSwitch, messageFor, scriptMessage } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'

/** A message that TradingView may send, with places that differ from order to order. */
export interface KnownMessage {
  /** `{{ticker}}` and `YOUR-…` stand for values. JSON, or a line of text. */
  readonly template: string
  /** The bridge that takes it; none for the script's own words, or for an owner's script. */
  readonly bridge?: Bridge
  /** The owner's name for it, and what it orders. */
  readonly named?: { readonly name: string; readonly order: 'entry' | 'exit' }
  /** The option of the script's "Message format" that writes it. */
  readonly format?: string
}

/**
 * The messages that an owner named for their own script: with values of one order, or with places.
 */
export function namedMessages(named: readonly AlertMessage[]): KnownMessage[] {
  return named.map(({ mark, name, text }) => ({
    template: exampleAsTemplate(text),
    named: { name, order: mark === 'up' ? 'entry' : 'exit' },
  }))
}

/** Numbers, times and symbols differ from order to order; every other word stays. */
function exampleAsTemplate(example: string): string {
  const inTokens = example.split(/(\{\{[^{}]*\}\}|YOUR-[A-Z-]+|[\s,:;=()[\]{}"]+)/)
  return inTokens.map((token, index) => (index % 2 === 1 ? token : tokenAsPlace(token))).join('')
}

function tokenAsPlace(token: string): string {
  if (/\d/.test(token)) return '{{value}}'
  return /^[A-Z]{4,}$/.test(token) && !ordinaryWords.has(token) ? '{{ticker}}' : token
}

const ordinaryWords = new Set(
  'BUY SELL LONG SHORT FLAT OPEN CLOSE ENTER ENTRY EXIT STOP LOSS TARGET TAKE PROFIT ORDER MARKET LIMIT POSITION ALERT SIGNAL CANCEL'.split(
    ' ',
  ),
)

let ours: readonly KnownMessage[] | undefined

/** The messages of the script that is given away. */
export function knownMessages({
  kit,
  ourRun,
}: Pick<SiteContent, 'kit' | 'ourRun'>): readonly KnownMessage[] {
  return ourRun ? (ours ??= ourMessages()) : namedMessages(kit.messages)
}

/** Every message of our script, alone and in the box of each bridge, in the order of the page. */
export function ourMessages(): KnownMessage[] {
  const inBoxes = bridges.flatMap((bridge) =>
    templatesFor(bridge).map((template) => ({ template, bridge })),
  )
  const alone = Object.entries(scriptMessages).flatMap(([format, { off, on }]) =>
    [...off, ...on].map((template) => ({ template, format })),
  )
  return [...inBoxes, ...alone]
}

/** A bridge's messages with and without a symbol, a size, and the script's stop and target. */
function templatesFor(bridge: Bridge): string[] {
  const fields = [{ symbol: '{{ticker}}', size: '{{size}}' }, { symbol: '{{ticker}}' }, {}]
  const switches: readonly ExitsSwitch[] = bridge.withExits ? ['off', 'on'] : ['off']
  const templates = switches.flatMap((exits) =>
    fields.flatMap((filledIn) => {
      const box = messageFor(bridge, { ...filledIn, exits })
      return box === undefined ? [] : withScript(box, bridge.messageFormat, exits)
    }),
  )
  return [...new Set(templates)]
}

/** The box, with each message that the script may put into it. */
function withScript(box: string, format: string | undefined, exits: ExitsSwitch): string[] {
  if (!box.includes(scriptMessage)) return [box]
  const messages = scriptMessages[format ?? '']?.[exits] ?? []
  return messages.map((message) => box.replace(scriptMessage, () => message))
}

const jsonExits = [
  '"stopLoss": { "type": "stop", "percent": {{stop}} }',
  '"takeProfit": { "percent": {{target}} }',
] as const

/**
 * The words of the script's function `message`, by its input "Message format" and the switch "Send
 * stop and target to the bridge". A test compares them with a run of the script.
 */
const scriptMessages: Readonly<Record<string, Record<ExitsSwitch, readonly string[]>>> = {
  'JSON (TradersPost)': { off: [jsonMessage([])], on: exitChoices(jsonExits).map(jsonMessage) },
  'Plain text': {
    off: ['{{ticker}} {{strategy.order.action}} at {{close}}, then {{strategy.market_position}}'],
    on: [],
  },
  'Command (PineConnector)': {
    off: ['{{command}}'],
    on: exitChoices([',sl_pct={{stop}}', ',tp_pct={{target}}']).map(
      (exits) => `{{command}},{{ticker}}${exits.join('')}`,
    ),
  },
}

function jsonMessage(exits: readonly string[]): string {
  const lines = [
    '"ticker": "{{ticker}}"',
    '"action": "{{strategy.order.action}}"',
    '"sentiment": "{{strategy.market_position}}"',
    '"signalPrice": {{close}}',
    ...exits,
  ]
  return `{\n  ${lines.join(',\n  ')}\n}`
}

/** Neither, one of the two, or both. */
function exitChoices([stop, target]: readonly [string, string]): string[][] {
  return [[], [stop], [target], [stop, target]]
}
