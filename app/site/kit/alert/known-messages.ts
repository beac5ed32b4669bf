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
  /** The option of the script's "Message format" that writes it, unless it is the bridge's. */
  readonly format?: string
  /** The script's switch "Send stop and target to the bridge", unless the box is made for it. */
  readonly sendExits?: ExitsSwitch
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
  const inBoxes = bridges.flatMap(messagesInBoxes)
  const alone = Object.entries(scriptMessages).flatMap(([format, { off, on }]) =>
    [...off, ...on].map((template) => ({ template, format })),
  )
  return [...inBoxes, ...alone]
}

/**
 * A bridge's messages with and without a symbol, a size, and the script's stop and target. Those
 * that the script writes with other settings than the box is made for come last.
 */
function messagesInBoxes(bridge: Bridge): KnownMessage[] {
  const fields = [{ symbol: '{{ticker}}', size: '{{size}}' }, { symbol: '{{ticker}}' }, {}]
  const switches: readonly ExitsSwitch[] = bridge.withExits ? ['off', 'on'] : ['off']
  const messages = switches.flatMap((exits) =>
    fields.flatMap((filledIn) => {
      const box = messageFor(bridge, { ...filledIn, exits })
      return box === undefined ? [] : withScript(box, bridge, exits)
    }),
  )
  const isWrong = ({ format, sendExits }: KnownMessage) => Boolean(format ?? sendExits)
  const ranked = messages.toSorted((a, b) => Number(isWrong(a)) - Number(isWrong(b)))
  const templates = ranked.map(({ template }) => template)
  return ranked.filter(({ template }, index) => templates.indexOf(template) === index)
}

/** The box, with each message that the script may put into it. */
function withScript(box: string, bridge: Bridge, exits: ExitsSwitch): KnownMessage[] {
  if (!box.includes(scriptMessage)) return [{ template: box, bridge }]
  return scriptSettings.flatMap(({ format, sendExits, messages }) => {
    const isOtherFormat = format !== bridge.messageFormat
    // The script's messages without a box are in the list already.
    if (isOtherFormat && box === scriptMessage) return []
    return messages.map((message) => ({
      template: box.replace(scriptMessage, () => message),
      bridge,
      ...(isOtherFormat && { format }),
      ...(sendExits !== exits && { sendExits }),
    }))
  })
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

const scriptSettings = Object.entries(scriptMessages).flatMap(([format, bySwitch]) =>
  (['off', 'on'] as const).map((sendExits) => ({
    format,
    sendExits,
    messages: bySwitch[sendExits],
  })),
)

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
