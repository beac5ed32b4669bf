// PLACEHOLDER until starter-kit/page-figures.ts is there
export const codePreview: readonly string[] = [
  '//@version=6',
  'strategy("EMA crossover starter",',
  '     overlay = true)',
  '',
  'fast = ta.ema(close, 9)',
  'slow = ta.ema(close, 21)',
  '',
  'if ta.crossover(fast, slow)',
  '    strategy.entry("Long", strategy.long)',
  'if ta.crossunder(fast, slow)',
  '    strategy.close("Long")',
  '',
  'plot(fast, "Fast EMA", color.orange)',
  'plot(slow, "Slow EMA", color.blue)',
]
export const alertExamples = {
  entry: { json: '{\n  "action": "buy",\n  "ticker": "SAMPLE",\n  "price": 107.09\n}', price: '107.09' },
  exit: { json: '{\n  "action": "sell",\n  "ticker": "SAMPLE",\n  "price": 105.97\n}', price: '105.97' },
}
export const guidePage = {
  number: 3,
  title: 'Add the script to your chart',
  intro: 'Press Add to chart in the editor. Two lines and the first markers appear on the price.',
  help: 'Nothing there? Look for a red line in the editor: a character was lost while pasting.',
  next: 'Then check the two lengths: 9 and 21.',
  minute: 2,
  fast: 'M0 76l12-4 12-7 12-2 12 2 12 6h12l11-11 12-19 12-16 12-12 11-4 12 3 12 12 11 8 13 10',
  slow: 'M0 68l12 1 12-2 12-2 12 1 12 3 12 1 11-7 12-12 12-14 12-10 11-2 12 2 12 2 11 3 13 7',
}
