import { type Bridge, endlessContract, required } from './bridge.ts'

/** The keys the service lists for a strategy alert, in its order, and no others: it asks for none to be added. */
const message = `{
  "secret": "YOUR-SECRET",
  "max_lag": "300",
  "timestamp": "{{timenow}}",
  "trigger_price": "{{close}}",
  "tv_exchange": "{{exchange}}",
  "tv_instrument": "[symbol]",
  "action": "{{strategy.order.action}}",
  "bot_uuid": "YOUR-BOT-UUID",
  "strategy_info": {
    "market_position": "{{strategy.market_position}}",
    "market_position_size": "{{strategy.market_position_size}}",
    "prev_market_position": "{{strategy.prev_market_position}}",
    "prev_market_position_size": "{{strategy.prev_market_position_size}}"
  },
  "order": {
    "amount": "[size]",
    "currency_type": "base"
  }
}`

const mandatory = ['secret', 'bot_uuid', 'action', 'tv_instrument', 'strategy_info', 'order']

export const threeCommas: Bridge = {
  id: '3commas',
  name: '3Commas',
  source: 'https://help.3commas.io/en/articles/9374557-signal-bot-json-file-for-strategy-type',
  readOn: '2026-11-22',
  message,
  symbol: { label: 'Pair, as the exchange names it', example: 'BTCUSDT' },
  size: {
    label: 'Amount, in the coin that is bought',
    example: '0.001',
    standIn: '{{strategy.order.contracts}}',
    ifEmpty: 'Empty: the size of the backtest’s order.',
  },
  places: [
    { word: 'YOUR-SECRET', is: 'the secret that 3Commas shows for the Signal Bot' },
    { word: 'YOUR-BOT-UUID', is: 'the bot_uuid shown beside it' },
  ],
  unchecked: 'whether the bot is of the type "TradingView Strategy" and trades the pair of your chart.',
  checks: [
    'The Signal Bot is of the type *TradingView Strategy* and trades the pair of your chart.',
    'The alert’s condition is the script, with *Order fills only*.',
    'YOUR-SECRET and YOUR-BOT-UUID are replaced, at TradingView, by what the bot shows.',
    'No key is added and none is taken away: 3Commas asks for exactly these.',
    'The bot is on a demo account, and its log shows the first message.',
  ],
  rules: {
    form: 'json',
    keys: [...mandatory, 'max_lag', 'timestamp', 'trigger_price', 'tv_exchange'],
    otherKeys: 'refused',
    patterns: [...mandatory.map((key) => required(key, '3Commas')), endlessContract],
  },
}
