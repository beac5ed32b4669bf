import { type Bridge, endlessContract, noSentiment, required, scriptMessage } from './bridge.ts'

export const tradersPost: Bridge = {
  id: 'traderspost',
  name: 'TradersPost',
  source: 'https://docs.traderspost.io/docs/core-concepts/signals/webhooks',
  readOn: '2026-11-22',
  messageFormat: 'JSON (TradersPost)',
  messageIfEmpty: scriptMessage,
  message: `{
  "ticker": "[symbol]",
  "action": "{{strategy.order.action}}",
  "sentiment": "{{strategy.market_position}}",
  "signalPrice": {{strategy.order.price}},
  "quantity": [size]
}`,
  symbol: { label: 'Symbol, as your broker names it', example: 'MNQZ2026' },
  size: {
    label: 'Quantity, in shares or contracts',
    example: '1',
    ifEmpty: 'Empty: the size set at TradersPost. It is used only if your subscription there allows it.',
  },
  places: [],
  caution: 'Keep `sentiment`: a sell without it opens a short once the long position is closed.',
  unchecked: 'whether TradersPost knows the ticker as your chart spells it.',
  checks: [
    '*Message format* in the script’s settings is *JSON (TradersPost)*.',
    'The alert’s condition is the script, with *Order fills only*.',
    'The message box holds the lines shown here and nothing else.',
    'The webhook URL is the whole address from TradersPost. Your password is in it: show it to nobody.',
    'A paper account is connected, and TradersPost’s log shows the first message.',
  ],
  rules: {
    form: 'json',
    // Others are ignored, says the page.
    keys: `ticker action sentiment price signalPrice limitPrice stopPrice orderType quantity quantityType takeProfit stopLoss
      trailPrice trailAmount trailPercent timeInForce extendedHours time interval cancel delay test id message extras
      optionType intrinsicValue expiration strikeCount strikesAway strikePrice`.split(/\s+/),
    otherKeys: 'taken',
    patterns: [
      required('ticker', 'TradersPost'),
      required('action', 'TradersPost'),
      {
        verdict: 'taken',
        has: /"price"\s*:/,
        what: '`price` makes a limit order.',
        cure: 'For the price of the signal write `signalPrice`.',
      },
      noSentiment,
      endlessContract,
    ],
  },
}
