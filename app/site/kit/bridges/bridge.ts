import { fill } from '#site/text/fill.ts'

/**
 * A service that turns an alert into an order: how its message is made. bridges.ts has one for
 * each.
 */
export interface Bridge {
  readonly id: string
  readonly name: string
  /** The service's page that describes the format, and the day it was read, YYYY-MM-DD. */
  readonly source: string
  readonly readOn: string
  /** Instead of "The format at NAME". */
  readonly sourceTitle?: string
  /** A file of ours that helps, at the root of the site. */
  readonly recipe?: { readonly title: string; readonly href: string }
  /**
   * The option for the script's "Message format". Undefined: the message does not use the script's
   * own.
   */
  readonly messageFormat?: string
  /**
   * `{symbol}` and `{size}` stand for what is filled in. A line with one that is neither filled in
   * nor has a stand-in is left out.
   */
  readonly message?: string
  /** Instead of the message if neither symbol nor size is filled in. */
  readonly messageIfEmpty?: string
  /** Instead of a message: how to get it at the service. */
  readonly ownMessage?: string
  /** Left empty, it is the chart's. */
  readonly symbol?: { readonly label: string; readonly example: string }
  readonly size?: {
    readonly label: string
    readonly example: string
    /** Stands in the message if the field is empty. */
    readonly standIn?: string
    /** Says what happens then. */
    readonly ifEmpty: string
  }
  /** The size of an entry: the one in the message as `{size}`, or who else sets it. */
  readonly sizeInWords?: { readonly given?: string; readonly otherwise?: string }
  /** The words in capitals that are filled in at TradingView, each with what it is. */
  readonly places: readonly { readonly word: string; readonly is: string }[]
  /** The fate of stop and target while they are not sent to the bridge. */
  readonly exits: string
  /** With stop and target sent. Undefined: the bridge takes neither from this message. */
  readonly withExits?: WithExits
  /** A question that only the service's test account or log answers: "whether …". */
  readonly unchecked: string
  /** To be ticked before the alert is saved. */
  readonly checks: readonly string[]
  /** To be ticked once the first order is filled. */
  readonly checksLater: readonly string[]
}

/**
 * The differences while the script's input "Send stop and target to the bridge" is on: the script
 * then writes more of the message itself, so less of it is filled in here.
 */
export interface WithExits {
  readonly message: string
  /** Says how the bridge uses them, and which part the script fills in. */
  readonly exits: string
  readonly checks: readonly string[]
  readonly checksLater: readonly string[]
}

/** The switch "Stop and target". */
export type ExitsSwitch = 'off' | 'on'

/** The fields of the page. */
export interface FilledIn {
  readonly symbol?: string
  readonly size?: string
  readonly exits?: ExitsSwitch
}

/**
 * Returns the text for the alert's message box; undefined if the service writes the message itself.
 */
export function messageFor(bridge: Bridge, filledIn: FilledIn = {}): string | undefined {
  const { symbol = '', size = '', exits = 'off' } = filledIn
  const isEmpty = !symbol && !size
  if (isEmpty && exits === 'off' && bridge.messageIfEmpty) return bridge.messageIfEmpty
  const template = templateOf(bridge, exits)
  if (template === undefined) return undefined
  const values = { symbol: symbol || '{{ticker}}', size: size || bridge.size?.standIn }
  const lines = template.split('\n').filter((line) => hasValues(line, values))
  const message = fill(lines.join('\n'), { symbol: values.symbol, size: values.size ?? '' })
  // The line after this comma may have been left out.
  return message.replace(/,\n\}$/, '\n}')
}

function hasValues(line: string, values: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(values).every(([name, value]) => value || !line.includes(`{${name}}`))
}

/** The message has a place for it, so the page has a field. */
export function takes(bridge: Bridge, field: 'symbol' | 'size', exits: ExitsSwitch): boolean {
  return templateOf(bridge, exits)?.includes(`{${field}}`) === true
}

function templateOf(bridge: Bridge, exits: ExitsSwitch): string | undefined {
  return exits === 'on' && bridge.withExits ? bridge.withExits.message : bridge.message
}

/** The message in pieces: every second one is a word that is filled in at TradingView. */
export function splitAtPlaces(message: string): string[] {
  return message.split(/(YOUR-[A-Z-]+)/)
}

/** Without what could end a value or a field of the message. */
export function cleanSymbol(typed: string): string {
  return typed.replaceAll(/[\s"'\\,;(){}=[\]]/g, '')
}

/** Returns undefined if the text is not a size. */
export function cleanSize(typed: string): string | undefined {
  const trimmed = typed.trim()
  if (trimmed === '') return ''
  if (/^[1-9]\d{0,2},\d{3}$/.test(trimmed)) return undefined // "1,000" may be a thousand, or one
  const size = trimmed.replace(',', '.')
  if (!/^\d*\.?\d+$/.test(size) || !(Number(size) > 0)) return undefined
  // JSON has neither "007" nor ".5".
  return size.replace(/^0+(?=\d)/, '').replace(/^\./, '0.')
}

export const scriptMessage = '{{strategy.order.alert_message}}'
