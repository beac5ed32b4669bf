import type { Bridge } from './bridge.ts'

export const wunderTrading: Bridge = {
  id: 'wundertrading',
  name: 'WunderTrading',
  source:
    'https://help.wundertrading.com/en/articles/13750524-wunder-trend-reversal-bot-setup-guide-and-trading-strategy',
  readOn: '2026-11-22',
  ownMessage:
    'WunderTrading writes this message for you. Open your Signal Bot, copy its *TradingView Strategy* JSON and paste it as it is. It carries the code of your bot, so we cannot make it here. Symbol and size are set in the bot.',
  places: [],
  unchecked: 'whether the size that the strategy sends is a size your exchange takes.',
  checks: [
    'The Signal Bot’s start condition is *TradingView Strategy*.',
    'The alert’s condition is the script, with *Order fills only*.',
    'The message box holds the bot’s JSON, unchanged.',
    'Pair and size are set in the bot. The bot’s pair is the pair of your chart.',
    'The bot is on a demo account, and its log shows the first message.',
  ],
  // The names in its JSON are in no public page.
  rules: { form: 'json', patterns: [] },
}
