import { readFileSync } from 'node:fs'
import { Indicator, PineTS } from 'pinets'
import type { Lengths, SampleRun, Trade } from '#site/chart/sample-run.ts'
import { type Bar, warmUpBars } from '#site/chart/sample-series.ts'
import { scriptInputs } from '#site/kit/script-inputs.ts'
import { priceSeries } from './price-series.ts'

export interface PineTrade extends Trade {
  readonly side: 'long' | 'short'
}

export interface PineMessage {
  /** The bar on whose close the order was placed. */
  readonly bar: number
  /** `entry`, `close`, `close now`, or `profit` and `loss` of an exit. */
  readonly order: string
  readonly text: string
}

interface PineRunOptions {
  /** Values for the settings dialog, by title. */
  readonly inputs?: Readonly<Record<string, unknown>>
  /** In ticks. Default: the script's own. */
  readonly slippage?: number
  /** A bar's length as Pine names it. Default: days. */
  readonly timeframe?: Timeframe
  /** When each bar opens, counted in bars. Default: one after the other, none missing. */
  readonly slots?: readonly number[]
  /** The last bar has not closed yet. */
  readonly lastBarOpen?: boolean
  /** The smallest order that the symbol takes. Default: any. */
  readonly smallestOrder?: number
}

export type Timeframe = keyof typeof timeframeMs

const timeframeMs = { D: 86_400_000, '60': 3_600_000, '30': 1_800_000 }
const sampleTick = 0.01
const firstBarTime = Date.UTC(2024, 0, 1)

/** The Pine script as it is given away, unless the owner gives away one of their own. */
export function shippedScript(): string {
  return readFileSync(new URL('../../app/site/kit/ema-crossover.pine', import.meta.url), 'utf8')
}

/** The opening time of the bar in a slot. */
export function barTime(slot: number, timeframe: Timeframe = 'D'): number {
  return firstBarTime + slot * timeframeMs[timeframe]
}

/** Executes a script with pinets, on a ticker SAMPLE with ticks of 0.01. */
export async function runPine(source: string, bars: readonly Bar[], options: PineRunOptions = {}) {
  const { timeframe = 'D', smallestOrder = 0 } = options
  const indicator = indicatorOf(source, options)
  const pine = new PineTS(
    provider(candles(bars, options), smallestOrder),
    'SAMPLE',
    timeframe,
    bars.length,
  )
  pine.setAlertMode('all')
  const context: PinetsContext = await pine.run(indicator)
  const alerts = context.alerts.map(messageOf)
  const messages = alerts.filter(({ order }) => order !== 'label')
  const trades = [...context.strategy.closedtrades, ...context.strategy.opentrades].map(tradeOf)
  return {
    /** One value per bar, NaN where the script has none. */
    fast: plotted(context.plots['Fast EMA'], bars.length),
    slow: plotted(context.plots['Slow EMA'], bars.length),
    trades: closedAtOnce(trades, messages, bars),
    /** Bars with the mark of a purchase, or of a sale. */
    marks: { bought: marked(context.plots['Bought']), sold: marked(context.plots['Sold']) },
    /** Messages of the script's orders, in order of time. */
    messages,
    /** What the script writes on the chart. */
    labels: alerts.filter(({ order }) => order === 'label').map(({ bar, text }) => ({ bar, text })),
    /** Orders placed but not filled at the last bar. */
    pendingOrders: context.strategy.pending_orders.length,
  }
}

/** The parts of a pinets indicator that are used here: TypeScript cannot read its own types. */
interface PinetsIndicator {
  readonly prop: Record<string, unknown>
  prepare(): { readonly inputs: Readonly<Record<string, unknown>> }
}

let last: { key: string; indicator: PinetsIndicator } | undefined

/** To compile a script takes as long as half a run on the sample, so runs in a row share it. */
function indicatorOf(source: string, { inputs = {}, slippage }: PineRunOptions): PinetsIndicator {
  const key = JSON.stringify([source, slippage])
  if (last?.key !== key) {
    // pinets reports no alert_message on fills, so every message is also sent by an alert() beside
    // its order.
    const indicator: PinetsIndicator = new Indicator(withAlerts(source))
    if (slippage !== undefined) indicator.prop['slippage'] = slippage
    last = { key, indicator }
  }
  const { indicator } = last
  const compiled = indicator.prepare()
  // The inputs are for this run alone: others may be under way.
  return Object.assign(Object.create(indicator), { prepare: () => ({ ...compiled, inputs }) })
}

/**
 * TradingView fills a close with `immediately` at the close of its own bar. pinets fills it one bar
 * later, at the close of that bar.
 */
function closedAtOnce(
  trades: readonly PineTrade[],
  messages: readonly PineMessage[],
  bars: readonly Bar[],
): PineTrade[] {
  const atOnce = new Set(messages.flatMap(({ bar, order }) => (order === 'close now' ? bar : [])))
  return trades.map((trade) => {
    const orderedOn = (trade.exitBar ?? bars.length) - 1
    const close = bars[orderedOn]?.close
    if (!atOnce.has(orderedOn) || close === undefined) return trade
    return { ...trade, exitBar: orderedOn, exitPrice: close }
  })
}

/**
 * Returns what the charts take from the script, as the artwork keeps it: its lengths, what an order
 * costs in the simulation, and its two messages, with `{price}` in the place of the price.
 */
export async function recordScript(script: string): Promise<string> {
  const { messages } = await runPine(script, priceSeries.sample)
  const firstOf = (wanted: string) => messages.find(({ order }) => order === wanted)?.text ?? ''
  const withPlace = (message: string) => message.replace(/\d+\.\d\d\b/, '{price}')
  const setting = (name: string) => Number(new RegExp(`${name} = ([\\d.]+)`).exec(script)?.[1])
  return JSON.stringify({
    lengths: defaultLengths(script),
    costs: {
      commissionPercent: setting('commission_value'),
      slippage: setting('slippage') * sampleTick,
    },
    messages: { entry: withPlace(firstOf('entry')), exit: withPlace(firstOf('close')) },
  })
}

function defaultLengths(script: string): Lengths {
  const lengthOf = (line: string) =>
    Number(scriptInputs(script).find(({ name }) => name === `${line}Length`)?.default)
  return { fast: lengthOf('fast'), slow: lengthOf('slow') }
}

/** Executes the script on the sample series, without slippage. `lengths`: default, its own. */
export async function runSample(
  script: string,
  lengths = defaultLengths(script),
): Promise<SampleRun> {
  const inputs = { 'Fast length': lengths.fast, 'Slow length': lengths.slow }
  const { fast, slow, trades, messages } = await runPine(script, priceSeries.sample, {
    slippage: 0,
    inputs,
  })
  const sentBefore = (fill: number) => messages.find(({ bar }) => bar === fill - 1)?.text ?? ''
  return {
    lengths,
    bars: priceSeries.sample.slice(warmUpBars),
    fast: fast.slice(warmUpBars),
    slow: slow.slice(warmUpBars),
    trades: trades
      .filter(({ exitBar = warmUpBars }) => exitBar >= warmUpBars)
      .map(({ entryBar, entryPrice, exitBar, exitPrice }) => ({
        entryBar: entryBar - warmUpBars,
        entryPrice,
        entryMessage: sentBefore(entryBar),
        ...(exitBar !== undefined &&
          exitPrice !== undefined && {
            exitBar: exitBar - warmUpBars,
            exitPrice,
            exitMessage: sentBefore(exitBar),
          }),
      })),
  }
}

/**
 * Appends to each order call an `alert()` with the call's own message expressions, and replaces
 * labels by one.
 */
function withAlerts(source: string): string {
  const withoutLabels = source.replace(
    /label\.new\(bar_index, high, (".*"),\n.*\)$/m,
    'alert("label|" + $1, alert.freq_all)',
  )
  return withoutLabels.replaceAll(
    /^( +)strategy\.(entry|close|exit)\((?:.*\n\1 {5,}.*)*.*$/gm,
    (call, indent: string, verb) => {
      const messages = [...call.matchAll(/\balert_(message|profit|loss) = (message\(.*\))[,)]$/gm)]
      const [, atOnce] = /\bimmediately = (.*),$/m.exec(call) ?? []
      const suffix = atOnce === undefined ? '""' : `(${atOnce} ? " now" : "")`
      const alerts = messages.map(([, name, expression]) => {
        const order = name === 'message' ? verb : name
        return `${indent}alert("${order}" + ${suffix} + "|" + ${expression}, alert.freq_all)`
      })
      return [call, ...alerts].join('\n')
    },
  )
}

function candles(bars: readonly Bar[], { timeframe, slots, lastBarOpen }: PineRunOptions) {
  return bars.map((bar, index) => {
    const slot = slots?.[index] ?? index
    const stillOpen = lastBarOpen && index === bars.length - 1
    const closeTime = stillOpen ? Date.UTC(2999, 0, 1) : barTime(slot + 1, timeframe) - 1
    return { ...bar, volume: 1, openTime: barTime(slot, timeframe), closeTime }
  })
}

/** pinets needs a provider: with a plain array of candles, `syminfo` is undefined. */
function provider(data: ReturnType<typeof candles>, smallestOrder: number) {
  const symbol = {
    ticker: 'SAMPLE',
    tickerid: 'SAMPLE',
    timezone: 'Etc/UTC',
    session: '24x7',
    mintick: sampleTick,
    pointvalue: 1,
    mincontract: smallestOrder,
  }
  return {
    getMarketData: () => Promise.resolve(data),
    getSymbolInfo: () => Promise.resolve(symbol),
    configure: () => {},
  }
}

/**
 * The part of pinets' context that we read. Its own types do not resolve from here and would be
 * `any`.
 */
interface PinetsContext {
  plots: Record<string, Plot>
  alerts: { bar_index: number; message: string }[]
  strategy: { closedtrades: PinetsTrade[]; opentrades: PinetsTrade[]; pending_orders: unknown[] }
}

interface Plot {
  data: { value: number | boolean | null }[]
}

interface PinetsTrade {
  size: number
  entry_bar_index: number
  entry_price: number
  exit_bar_index?: number
  exit_price?: number
}

function plotted(plot: Plot | undefined, bars: number): number[] {
  return Array.from({ length: bars }, (_, bar) => Number(plot?.data[bar]?.value ?? Number.NaN))
}

function marked(plot: Plot | undefined): number[] {
  return (plot?.data ?? []).flatMap(({ value }, bar) => (value === true ? [bar] : []))
}

function tradeOf(trade: PinetsTrade): PineTrade {
  const entry = {
    side: trade.size > 0 ? ('long' as const) : ('short' as const),
    entryBar: trade.entry_bar_index,
    entryPrice: trade.entry_price,
  }
  if (trade.exit_bar_index === undefined || trade.exit_price === undefined) return entry
  return { ...entry, exitBar: trade.exit_bar_index, exitPrice: trade.exit_price }
}

function messageOf({ bar_index: bar, message }: PinetsContext['alerts'][number]): PineMessage {
  const separator = message.indexOf('|')
  return { bar, order: message.slice(0, separator), text: message.slice(separator + 1) }
}
