import { type Bridge, type FilledIn, messageFor } from '../bridges/bridge.ts'
import { isUnfilled, type PlaceValues } from './match-message.ts'

/** `short`: an entry that sells short. With “Long and short” it is also the exit of what was held. */
export type OrderKind = 'entry' | 'short' | 'exit'

/** The order in a message. Numbers are as they stand in it. */
export interface Order {
  readonly kind: OrderKind
  readonly side: 'buy' | 'sell'
  /** The position once it is filled. Undefined: a message with nothing but "buy" does not say. */
  readonly after: Position | undefined
  readonly symbol: string | undefined
  readonly size: string | undefined
  /** Percent. */
  readonly stop: string | undefined
  readonly target: string | undefined
}

/** Returns undefined if the values do not say what is ordered. */
export function orderOf(values: PlaceValues): Order | undefined {
  const filled = (place: string) => {
    const value = values.get(place)
    return value === undefined || isUnfilled(value) ? undefined : value
  }
  const after = positionAfter(filled)
  const side = sideOf(filled, after)
  if (side === undefined) return undefined
  return {
    kind: kindOf(after ?? (side === 'buy' ? 'long' : 'flat')),
    side,
    after,
    symbol: filled('{{ticker}}'),
    size: filled('{{size}}') ?? filled('{{strategy.order.contracts}}'),
    stop: filled('{{stop}}'),
    target: filled('{{target}}'),
  }
}

function kindOf(after: Position): OrderKind {
  switch (after) {
    case 'long':
      return 'entry'
    case 'short':
      return 'short'
    case 'flat':
      return 'exit'
  }
}

type Filled = (place: string) => string | undefined
type Position = 'long' | 'short' | 'flat'

function positionAfter(filled: Filled): Position | undefined {
  const position = filled('{{strategy.market_position}}')
  if (position !== undefined) return position as Position // match-message takes no other
  const size = filled('{{strategy.position_size}}')
  if (size !== undefined) {
    if (Number(size) === 0) return 'flat'
    return Number(size) > 0 ? 'long' : 'short'
  }
  const command = filled('{{command}}')
  if (command === undefined) return undefined
  if (command.startsWith('close')) return 'flat'
  return command === 'buy' ? 'long' : 'short'
}

function sideOf(filled: Filled, after: Position | undefined): Order['side'] | undefined {
  const action = filled('{{strategy.order.action}}')
  if (action === 'buy' || action === 'sell') return action
  switch (filled('{{command}}')) {
    case 'buy':
    case 'closeshort':
      return 'buy'
    case 'sell':
    case 'closelong':
      return 'sell'
    default:
      return after === 'short' ? 'sell' : after && 'buy'
  }
}

/**
 * A sentence about an order that our script never sends. A script that closes a part of its
 * position does.
 */
export function contradiction(order: Order): string | undefined {
  if (!isContrary(order)) return undefined
  const { side, after } = order
  return `It says ${side}, and that the position is ${after} after that. The script sends no such message.`
}

function isContrary({ side, after }: Pick<Order, 'side' | 'after'>): boolean {
  return side === 'buy' ? after === 'short' : after === 'long'
}

/** One sentence, such as "Buys BTCUSD at the market, size as set at TradersPost, stop 1 %." */
export function orderInWords(order: Order, bridge: Bridge | undefined): string {
  const { kind, stop, target } = order
  const details =
    kind === 'exit'
      ? []
      : [sizeInWords(order, bridge), stop && `stop ${stop} %`, target && `target ${target} %`]
  return `${[headOf(order, bridge), ...details.filter(Boolean)].join(', ')}.`
}

/**
 * One line about the message that stands in a bridge's box: what its entries and its exits do.
 * Undefined: the bridge writes the message itself.
 */
export function boxInWords(
  bridge: Bridge,
  filledIn: FilledIn,
  isBothWays: boolean,
): string | undefined {
  if (messageFor(bridge, filledIn) === undefined) return undefined
  const { symbol, size, exits } = filledIn
  const named = symbol || 'your chart’s symbol'
  const details = [
    sizeInWords({ size: size || undefined }, bridge),
    exits === 'on' && bridge.withExits && 'with the script’s stop and target',
  ]
  const entry = isBothWays ? `buys ${named} or sells it short` : `buys ${named}`
  const words = [`An entry ${entry} at the market`, ...details.filter(Boolean)].join(', ')
  return `${words}. An exit closes the position.`
}

function headOf({ kind, side, after, symbol = 'the symbol' }: Order, bridge?: Bridge) {
  // The message names no side, only the position that is to be left.
  if (bridge?.id === 'alertatron' && kind === 'exit') {
    return `Closes the position in ${symbol} at the market`
  }
  if (after === undefined || isContrary({ side, after })) {
    return `${side === 'buy' ? 'Buys' : 'Sells'} ${symbol} at the market`
  }
  if (kind !== 'exit') {
    return side === 'buy' ? `Buys ${symbol} at the market` : `Sells ${symbol} short at the market`
  }
  return side === 'buy'
    ? `Buys ${symbol} back at the market, which closes the short position`
    : `Sells ${symbol} at the market, which closes the position`
}

function sizeInWords(
  { size }: Pick<Order, 'size'>,
  bridge: Bridge | undefined,
): string | undefined {
  if (size === undefined) return bridge?.sizeInWords?.otherwise
  return bridge?.sizeInWords?.given?.replace('{size}', size) ?? `size ${size}`
}
