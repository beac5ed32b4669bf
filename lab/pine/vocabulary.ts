// The part of Pine Script v6 that the kit's script may use, from TradingView's reference manual. The lint reports
// everything else: pinets runs a call with an argument that does not exist, TradingView rejects the script.

export interface PineFunction {
  readonly parameters: readonly string[]
  /** How many of the first parameters must be given. */
  readonly required: number
  /** Takes any number of further arguments. */
  readonly open?: boolean
}

const shown = 'inline group confirm display active'
const exitTexts = 'comment comment_profit comment_loss comment_trailing alert_message alert_profit alert_loss'

export const pineFunctions: Readonly<Record<string, PineFunction>> = {
  strategy: takes(
    1,
    'title shorttitle overlay format precision scale pyramiding calc_on_order_fills calc_on_every_tick max_bars_back backtest_fill_limits_assumption',
    'default_qty_type default_qty_value initial_capital currency slippage commission_type commission_value process_orders_on_close close_entries_rule',
    'margin_long margin_short explicit_plot_zorder max_lines_count max_labels_count max_boxes_count calc_bars_count risk_free_rate',
    'use_bar_magnifier fill_orders_on_standard_ohlc max_polylines_count dynamic_requests behind_chart',
  ),
  'strategy.entry': takes(
    2,
    'id direction qty limit stop oca_name oca_type comment alert_message disable_alert',
  ),
  'strategy.exit': takes(
    1,
    'id from_entry qty qty_percent profit limit loss stop trail_price trail_points trail_offset oca_name',
    `${exitTexts} alert_trailing disable_alert`,
  ),
  'strategy.close': takes(1, 'id comment qty qty_percent alert_message immediately disable_alert'),
  'input.int': takes(1, `defval title minval maxval step tooltip ${shown}`),
  'input.float': takes(1, `defval title minval maxval step tooltip ${shown}`),
  'input.string': takes(1, `defval title options tooltip ${shown}`),
  'input.session': takes(1, `defval title options tooltip ${shown}`),
  'input.bool': takes(1, `defval title tooltip ${shown}`),
  'input.time': takes(1, `defval title tooltip ${shown}`),
  'input.source': takes(1, 'defval title tooltip inline group display active confirm'),
  'ta.ema': takes(2, 'source length'),
  'ta.crossover': takes(2, 'source1 source2'),
  'ta.crossunder': takes(2, 'source1 source2'),
  'math.max': { ...takes(2, 'number0 number1'), open: true },
  'math.round': takes(1, 'number precision'),
  'str.tostring': takes(1, 'value format'),
  'runtime.error': takes(1, 'message'),
  timestamp: takes(1, 'dateString'),
  time: takes(1, 'timeframe session timezone bars_back timeframe_bars_back'),
  na: takes(1, 'x'),
  plot: takes(
    1,
    'series title color linewidth style trackprice histbase offset join editable show_last display format precision force_overlay linestyle',
  ),
  plotshape: takes(
    1,
    'series title style location color offset text textcolor editable size show_last display format precision force_overlay',
  ),
}

/** Built-in values, constants, types and words of the language. */
export const pineNames: ReadonlySet<string> = new Set(
  [
    'if else switch and or not true false na int float string bool open high low close time',
    'strategy.percent_of_equity strategy.commission.percent strategy.long strategy.short strategy.position_size',
    'barstate.isconfirmed timeframe.isintraday timeframe.period syminfo.ticker syminfo.mintick format.mintick',
    'color.orange color.blue color.green color.purple shape.triangleup shape.triangledown',
    'location.belowbar location.abovebar size.tiny size.small',
  ].flatMap((words) => words.split(' ')),
)

/** Required arguments of strategy(). The guide explains fills by the first; the others keep a backtest realistic. */
export const declaration: Readonly<Record<string, string>> = {
  process_orders_on_close: 'false',
  calc_on_every_tick: 'false',
  fill_orders_on_standard_ohlc: 'true',
  pyramiding: '0',
  margin_long: '100',
  margin_short: '100',
}

function takes(required: number, ...parameters: string[]): PineFunction {
  return { required, parameters: parameters.flatMap((words) => words.split(' ')) }
}
