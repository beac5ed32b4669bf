import type { Bridge } from './bridge.ts'

export const alertatron: Bridge = {
  id: 'alertatron',
  name: 'Alertatron',
  source: 'https://alertatron.com/docs/automated-trading/market-order',
  readOn: '2026-11-22',
  message: 'YOUR-KEYS([symbol]) { market(position={{strategy.position_size}}); } #bot',
  symbol: { label: 'Symbol, as the exchange names it', example: 'XBTUSD' },
  places: [{ word: 'YOUR-KEYS', is: 'the name you gave your API keys at Alertatron, not a key itself' }],
  unchecked:
    "whether the backtest's position size is a size your exchange takes, and whether it knows targets on spot.",
  checks: [
    'YOUR-KEYS is replaced, at TradingView, by the name of your keys.',
    'The alert’s condition is the script, with *Order fills only*.',
    '*Order size* under Properties is a size your exchange takes.',
    '`#bot` stands at the end. Without it nothing is traded.',
    'The keys are for a testnet, and Alertatron’s log shows the first message.',
  ],
  rules: {
    form: 'line',
    patterns: [
      {
        verdict: 'refused',
        lacks: /^\s*[\w-]+\([^)]+\)\s*\{/,
        what: 'The keys and the symbol are missing.',
        cure: 'It begins with `YOUR-KEYS(XBTUSD) {`.',
      },
      {
        verdict: 'refused',
        lacks: /#bot\b/,
        what: '`#bot` is missing.',
        cure: 'Write it at the end. Without it nothing is traded.',
      },
      {
        verdict: 'taken',
        lacks: /position\s*=/,
        what: '`position` is missing.',
        cure: 'Without it each message adds an order instead of moving to the position that the script holds.',
      },
    ],
  },
}
