import { type Bridge, endlessContract, noSentiment, required, scriptMessage } from './bridge.ts'

export const ownWebhook: Bridge = {
  id: 'own-webhook',
  name: 'Own webhook',
  source: 'https://www.tradingview.com/support/solutions/43000529348/',
  readOn: '2026-11-22',
  sourceTitle: 'TradingView on webhooks',
  recipe: { title: 'A receiver in 40 lines, tested', href: '/webhook-receiver.mjs' },
  messageFormat: 'JSON (TradersPost)',
  message: scriptMessage,
  places: [],
  caution:
    'TradingView calls ports 80 and 443 only, no IPv6, and waits 3 seconds. Your page has a receiver in 40 lines that keeps to that, checks secret and sender, and ignores repeats.',
  unchecked: 'whether TradingView reaches your server and gets its answer in time.',
  checks: [
    '*Message format* in the script’s settings is *JSON (TradersPost)*.',
    'The alert’s condition is the script, with *Order fills only*.',
    'Your address uses port 443 or 80, no IPv6, and answers within 3 seconds.',
    'The secret is in the address, never in the message.',
    'The same message twice makes one order. Try it on a paper account before money is in.',
  ],
  rules: {
    form: 'json',
    patterns: [required('action', 'The receiver of our recipe'), noSentiment, endlessContract],
  },
}
