import { EMA } from 'technicalindicators'
import type { Bar } from '#site/chart/sample-series.ts'
import type { PineTrade, Timeframe } from './pine-runner.ts'

/** The script's settings. What is left out is as the script has it. */
export interface OracleRules {
  readonly fast: number
  readonly slow: number
  readonly source?: keyof Bar
  readonly shorts?: boolean
  readonly stopPercent?: number
  readonly targetPercent?: number
  readonly timeframe?: Timeframe
  /** When each bar opens, counted in bars. Default: one after the other, none missing. */
  readonly slots?: readonly number[]
  /** Bars in the average that filters entries. */
  readonly trend?: number
  /** The first and the last bar that may enter. */
  readonly dates?: readonly [number, number]
  readonly limitSession?: boolean
  readonly flatAtEnd?: boolean
}

const tick = 0.01
const barMinutes = { D: 1440, '60': 60, '30': 30 }
/** From 09:30 to 16:00, in minutes of the day. */
const session = { from: 570, to: 960 }

/**
 * Both averages from a second library, not the one that runs the script. NaN before their first
 * value.
 */
export function oracleAverages(
  bars: readonly Bar[],
  { fast, slow, source = 'close' }: OracleRules,
) {
  const values = bars.map((bar) => bar[source])
  const average = (period: number) => {
    const known = EMA.calculate({ period, values })
    return [...Array.from({ length: bars.length - known.length }, () => Number.NaN), ...known]
  }
  return { fast: average(fast), slow: average(slow) }
}

/**
 * Every trade that follows from the rules, computed bar by bar from the bars before, without the
 * script.
 */
export function oracleTrades(bars: readonly Bar[], rules: OracleRules): PineTrade[] {
  const crosses = crossesOf(bars, rules)
  const trendAllows = trendFilter(bars, rules)
  const trades: PineTrade[] = []
  let position: Position | undefined
  let order: Side | 'flat' | undefined
  const leave = (exitBar: number, exitPrice: number) => {
    if (position === undefined) return
    const { side, entryBar, entryPrice } = position
    trades.push({ side, entryBar, entryPrice, exitBar, exitPrice })
    position = undefined
  }
  for (const [index, bar] of bars.entries()) {
    if (order !== undefined) leave(index, bar.open)
    if (order === 'long' || order === 'short') {
      position = entered(order, index, bar.open, bars[index - 1], rules)
    }
    order = undefined
    const exitPrice = position && exitWithin(position, bar)
    if (exitPrice !== undefined) leave(index, exitPrice)
    const end = endOfSession(index, rules)
    if (position && mustLeaveNow(end)) {
      leave(index, bar.close)
      continue
    }
    const crossed = crosses[index] && sideAfter[crosses[index]]
    const isFiltered = crossed !== undefined && !trendAllows(index, crossed)
    if (crossed && !isFiltered && (crossed === 'long' || rules.shorts) && mayEnter(index, rules)) {
      order = crossed
    } else if (position && (end === 'near' || (crossed && crossed !== position.side))) {
      order = 'flat'
    }
  }
  return position
    ? [
        ...trades,
        { side: position.side, entryBar: position.entryBar, entryPrice: position.entryPrice },
      ]
    : trades
}

const sideAfter = { up: 'long', down: 'short' } as const

/** The crosses of the two averages, one entry per bar. A cross counts on the close of its bar. */
export function crossesOf(bars: readonly Bar[], rules: OracleRules): ('up' | 'down' | undefined)[] {
  const { fast, slow } = oracleAverages(bars, rules)
  // The engine keeps ten decimals. Without rounding, equal averages would differ in the last bit.
  const gap = fast.map((value, bar) => Math.round((value - (slow[bar] ?? Number.NaN)) * 1e9))
  return gap.map((now, bar) => {
    const before = gap[bar - 1] ?? Number.NaN
    if (now > 0 && before <= 0) return 'up'
    return now < 0 && before >= 0 ? 'down' : undefined
  })
}

/** Buys only above the long average, sells short only below it. */
function trendFilter(bars: readonly Bar[], { trend, source = 'close' }: OracleRules) {
  if (trend === undefined) return () => true
  const values = bars.map((bar) => bar[source])
  const known = EMA.calculate({ period: trend, values })
  return (bar: number, side: Side) => {
    const average = known[bar - (bars.length - known.length)] ?? Number.NaN
    const close = bars[bar]?.close ?? Number.NaN
    return side === 'long' ? close > average : close < average
  }
}

/**
 * How near the end of the session is on the close of a bar. `near`: an order is filled in time, at
 * the open of the last bar. `here`: it would be too late. `missed`: bars are missing, and the
 * session has ended before this bar.
 */
export function endOfSession(bar: number, rules: OracleRules): 'far' | 'near' | 'here' | 'missed' {
  const { flatAtEnd, timeframe = 'D' } = rules
  if (!flatAtEnd || timeframe === 'D') return 'far'
  const opensAt = minuteOfDay(bar, rules)
  if (opensAt < session.from || opensAt + barMinutes[timeframe] >= session.to) return 'here'
  if (opensAt + 2 * barMinutes[timeframe] >= session.to) return 'near'
  const isNewDay = bar > 0 && minuteOfDay(bar - 1, rules) >= opensAt
  return isNewDay ? 'missed' : 'far'
}

/** A position may not wait for the open of the next bar. */
export function mustLeaveNow(end: ReturnType<typeof endOfSession>): boolean {
  return end === 'here' || end === 'missed'
}

function minuteOfDay(bar: number, { timeframe = 'D', slots }: OracleRules): number {
  return ((slots?.[bar] ?? bar) * barMinutes[timeframe]) % 1440
}

function mayEnter(bar: number, rules: OracleRules): boolean {
  const { dates: [from, to] = [0, Infinity], timeframe = 'D', limitSession, flatAtEnd } = rules
  const opensAt = minuteOfDay(bar, rules)
  const inHours = opensAt >= session.from && opensAt < session.to
  const isLimited = (limitSession || flatAtEnd) && timeframe !== 'D'
  const end = endOfSession(bar, rules)
  const isTooLate = end === 'near' || end === 'here'
  return bar >= from && bar <= to && (inHours || !isLimited) && !isTooLate
}

type Side = 'long' | 'short'

interface Position {
  readonly side: Side
  readonly entryBar: number
  readonly entryPrice: number
  readonly stop: number
  readonly target: number
}

/**
 * Stop and target are a whole number of ticks from the fill. The percentage is of the signal bar's
 * close.
 */
function entered(
  side: Side,
  entryBar: number,
  entryPrice: number,
  signal: Bar | undefined,
  rules: OracleRules,
): Position {
  const distance = (percent = 0) => {
    if (percent === 0) return Number.POSITIVE_INFINITY
    return Math.max(1, Math.round(((signal?.close ?? 0) * percent) / 100 / tick)) * tick
  }
  const up = side === 'long' ? 1 : -1
  const stop = entryPrice - up * distance(rules.stopPercent)
  return {
    side,
    entryBar,
    entryPrice,
    stop,
    target: entryPrice + up * distance(rules.targetPercent),
  }
}

/**
 * TradingView assumes that the price moves from the open to the nearer end of the bar, then to the
 * other.
 */
function exitWithin(position: Position, { open, high, low }: Bar): number | undefined {
  const path = high - open < open - low ? [open, high, low] : [open, low, high]
  const [down, up] =
    position.side === 'long' ? [position.stop, position.target] : [position.target, position.stop]
  if (open <= down || open >= up) return open
  for (const price of path) {
    if (price <= down) return down
    if (price >= up) return up
  }
  return undefined
}
