import { describe, expect, test } from 'vitest'
import { runPine, shippedScript } from '#lab/pine/pine-runner.ts'
import { priceSeries } from '#lab/pine/price-series.ts'
import { personalPage } from '#content/pages/personal-page.ts'
import { releases } from '#content/releases.ts'
import { type Bridge, cleanSize, cleanSymbol, messageFor } from './bridge.ts'
import { bridges } from './bridges.ts'

/** The values that TradingView fills in at the fill of an entry. */
const filled: Readonly<Record<string, string>> = {
  '{{strategy.order.price}}': '107.09',
  '{{ticker}}': 'SAMPLE',
  '{{exchange}}': 'NYSE',
  '{{close}}': '107.11',
  '{{timenow}}': '2024-06-07T00:00:00Z',
  '{{strategy.order.action}}': 'buy',
  '{{strategy.order.contracts}}': '9.386315',
  '{{strategy.position_size}}': '9.386315',
  '{{strategy.market_position}}': 'long',
  '{{strategy.market_position_size}}': '9.386315',
  '{{strategy.prev_market_position}}': 'flat',
  '{{strategy.prev_market_position_size}}': '0',
}

function bridgeNamed(name: string): Bridge {
  const bridge = bridges.find((each) => each.name === name)
  if (!bridge) throw new Error(`There is no bridge ${name}`)
  return bridge
}

/**
 * Every message that an alert with this bridge's message posts over a run with stops and both
 * directions.
 */
async function posted(name: string, filledIn = {}): Promise<string[]> {
  const bridge = bridgeNamed(name)
  const { messageFormat = 'JSON (TradersPost)' } = bridge
  const inputs = { Direction: 'Long and short', 'Stop, %': 1, 'Message format': messageFormat }
  const { messages } = await runPine(shippedScript(), priceSeries.chop, { inputs })
  const box = messageFor(bridge, filledIn) ?? ''
  return messages.map(({ text }) => {
    return box.replaceAll(/\{\{[^}]+\}\}/g, (placeholder) => {
      return placeholder === '{{strategy.order.alert_message}}'
        ? text
        : (filled[placeholder] ?? placeholder)
    })
  })
}

describe('the message for', () => {
  test('TradersPost is JSON with four known fields, and signalPrice instead of price', async () => {
    const messages = await posted('TradersPost')
    expect(messages.length).toBeGreaterThan(50)
    for (const message of messages) {
      expect(JSON.parse(message)).toEqual({
        ticker: 'SAMPLE',
        action: expect.stringMatching(/^(?:buy|sell)$/),
        sentiment: expect.stringMatching(/^(?:long|short|flat)$/),
        signalPrice: expect.any(Number),
      })
    }
  })

  test('TradersPost with a symbol and a quantity of the visitor has both, quantity as a number', async () => {
    const [message = ''] = await posted('TradersPost', { symbol: 'MNQZ2026', size: '2' })
    expect(JSON.parse(message)).toEqual({
      ticker: 'MNQZ2026',
      action: 'buy',
      sentiment: 'long',
      signalPrice: 107.09,
      quantity: 2,
    })
  })

  test('3Commas is JSON with the keys it lists, in its order, and no other', async () => {
    const wanted = [
      'secret',
      'max_lag',
      'timestamp',
      'trigger_price',
      'tv_exchange',
      'tv_instrument',
    ]
    for (const message of await posted('3Commas')) {
      const parsed: Record<string, unknown> = JSON.parse(message)
      expect(Object.keys(parsed)).toEqual([
        ...wanted,
        'action',
        'bot_uuid',
        'strategy_info',
        'order',
      ])
      expect(Object.keys(parsed['strategy_info'] ?? {})).toEqual([
        'market_position',
        'market_position_size',
        'prev_market_position',
        'prev_market_position_size',
      ])
      expect(parsed['order']).toEqual({
        amount: filled['{{strategy.order.contracts}}'],
        currency_type: 'base',
      })
    }
  })

  test('PineConnector is licence, one command, symbol, size', async () => {
    const messages = await posted('PineConnector', { size: '0.01' })
    for (const message of messages) {
      expect(message).toMatch(
        /^YOUR-LICENSE-ID,(?:buy|sell|closelong|closeshort),SAMPLE,vol_lots=0\.01$/,
      )
    }
    const commands = new Set(messages.map((message) => message.split(',')[1]))
    expect(commands).toEqual(new Set(['buy', 'sell', 'closelong', 'closeshort']))
  })

  test('Alertatron is keys, symbol, a target position, and the tag of its trading bot', async () => {
    for (const message of await posted('Alertatron')) {
      expect(message).toMatch(/^YOUR-KEYS\(SAMPLE\) \{ market\(position=-?[\d.]+\); \} #bot$/)
    }
  })
})

test('with stop and target sent, the box named on the page makes a message in the order that PineConnector wants', async () => {
  const bridge = bridgeNamed('PineConnector')
  const [, box = ''] = /message `([^`]+)`/.exec(bridge.exits) ?? []
  const inputs = {
    'Stop, %': 1,
    'Message format': bridge.messageFormat,
    [personalPage.bridges.sendExits]: true,
  }
  const { messages } = await runPine(shippedScript(), priceSeries.chop, { inputs })
  for (const { order, text } of messages) {
    expect(box.replace('{{strategy.order.alert_message}}', text)).toBe(
      order === 'entry'
        ? 'YOUR-LICENSE-ID,buy,SAMPLE,sl_pct=1,vol_lots=YOUR-LOTS'
        : 'YOUR-LICENSE-ID,closelong,SAMPLE,vol_lots=YOUR-LOTS',
    )
  }
})

test.each(bridges)(
  '$name: known placeholders, a format of the script, five checks, and where it documents its format',
  (bridge) => {
    const message = messageFor(bridge) ?? ''
    const known = ['{{strategy.order.alert_message}}', ...Object.keys(filled)]
    for (const placeholder of message.match(/\{\{[^}]+\}\}/g) ?? []) {
      expect(known).toContain(placeholder)
    }
    expect((message.match(/YOUR-[A-Z-]+/g) ?? []).toSorted()).toEqual(
      bridge.places.map(({ word }) => word).toSorted(),
    )
    if (bridge.messageFormat) expect(shippedScript()).toContain(`"${bridge.messageFormat}"`)
    expect(bridge.checks).toHaveLength(5)
    expect(bridge.source).toMatch(/^https:\/\//)
    expect((bridge.message === undefined) !== (bridge.ownMessage === undefined)).toBe(true)
  },
)

describe('what is filled in', () => {
  test('cannot end a value or a field of the message', () => {
    expect(cleanSymbol(' "MNQ", Z2026\\ } ')).toBe('MNQZ2026')
    expect(['1', ' 0,01 ', '.5', ''].map(cleanSize)).toEqual(['1', '0.01', '.5', ''])
    expect(['0', '-1', '1e3', 'two', '1;'].map(cleanSize)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    )
  })

  test('leaves out the quantity if only the symbol is given', () => {
    expect(messageFor(bridgeNamed('TradersPost'), { symbol: 'AAPL' })).toMatch(/price\}\}\n\}$/)
  })
})

// Not against today: the test must not begin to fail one day.
test('each page was read again in the 180 days before the newest release', () => {
  const oldest = Date.parse(releases[0]?.date ?? '') - 180 * 24 * 60 * 60 * 1000
  expect(bridges.filter(({ readOn }) => !(Date.parse(readOn) >= oldest))).toEqual([])
})
