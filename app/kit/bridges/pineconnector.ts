import { type Bridge, endlessContract, scriptMessage } from './bridge.ts'

export const pineConnector: Bridge = {
  id: 'pineconnector',
  name: 'PineConnector',
  source: 'https://docs.pineconnector.com/syntax',
  readOn: '2026-11-22',
  messageFormat: 'Command (PineConnector)',
  message: `YOUR-LICENSE-ID,${scriptMessage},[symbol],vol_lots=[size]`,
  symbol: { label: 'Symbol, as MetaTrader names it', example: 'EURUSD' },
  size: {
    label: 'Size, in lots',
    example: '0.01',
    standIn: 'YOUR-LOTS',
    ifEmpty: 'Empty: you fill it in at TradingView.',
  },
  places: [
    { word: 'YOUR-LICENSE-ID', is: 'the number on PineConnector’s licensing page' },
    { word: 'YOUR-LOTS', is: 'the size in lots, such as 0.01' },
  ],
  unchecked:
    'what your EA version does with vol_lots= on a close, and whether it closes the old position on an entry the other way ("Long and short").',
  checks: [
    '*Message format* in the script’s settings is *Command (PineConnector)*.',
    'The alert’s condition is the script, with *Order fills only*.',
    'YOUR-LICENSE-ID is replaced, at TradingView, by your number.',
    'The symbol is spelled as in MetaTrader, with its ending (EURUSD.r).',
    'The EA is 3.51.1 or later, on a demo account, and the signals log shows the first message.',
  ],
  rules: {
    form: 'line',
    keys: `risk vol_lots sl tp price comment betrigger beoffset trailtrig traildist trailstep atrtimeframe atrtrigger
      atrperiod atrmultiplier atrshift spread accfilter secret closepct`.split(/\s+/),
    otherKeys: 'refused',
    patterns: [
      {
        verdict: 'refused',
        has: /\S\s*\n\s*\S/,
        what: 'There is more than one line.',
        cure: 'Write it in one line, with commas.',
      },
      {
        verdict: 'refused',
        lacks: /^\s*(?:YOUR-LICENSE-ID|\d{6,})\s*,/,
        what: 'The License ID is missing.',
        cure: 'It stands first, before a comma.',
      },
      {
        verdict: 'refused',
        lacks:
          /,\s*(?:\{\{strategy\.order\.(?:alert_message|action)\}\}|buy|sell|long|short|bull|bear|close|cancel|exit|newsltp|eao)/i,
        what: 'There is no command, such as `buy` or `closelong`.',
        cure: 'It stands second. `{{strategy.order.alert_message}}` writes it.',
      },
      {
        verdict: 'refused',
        lacks: /^[^,]*,[^,]*,\s*[^,=\s]+\s*(?:,|$)/,
        what: 'The symbol is missing.',
        cure: 'It stands third, as MetaTrader names it.',
      },
      {
        verdict: 'taken',
        has: /\{\{strategy\.order\.action\}\}/,
        what: '`{{strategy.order.action}}` only says buy or sell.',
        cure: 'An exit would open a position the other way. Write `{{strategy.order.alert_message}}`.',
      },
      {
        verdict: 'taken',
        has: /\brisk\s*=/,
        what: '`risk` means lots, money or per cent, by the settings of the EA.',
        cure: 'For a size in lots write `vol_lots`.',
      },
      endlessContract,
    ],
  },
}
