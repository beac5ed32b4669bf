import { describe, expect, test } from 'vitest'
import { runPine } from '#lab/pine/pine-runner.ts'
import { priceSeries } from '#lab/pine/price-series.ts'
import { messageTemplates } from './messages.ts'
import { scriptInputs } from './script-inputs.ts'
import { shippedScript } from '#lab/pine/shipped-script.ts'

/** The values that TradingView fills in at the fill of an entry. */
const filled: Readonly<Record<string, string>> = {
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

/** Every message that an alert with this template posts over a run with stops and both directions. */
async function posted(service: string): Promise<string[]> {
  const template = messageTemplates.find((each) => each.service === service)
  if (!template) throw new Error(`No template for ${service}`)
  const inputs = { Direction: 'Long and short', 'Stop, %': 1, 'Message format': template.messageFormat }
  const { messages } = await runPine(shippedScript(), priceSeries['chop'] ?? [], { inputs })
  return messages.map(({ text }) => {
    return template.message.replace(/\{\{[^}]+\}\}/g, (placeholder) => {
      return placeholder === '{{strategy.order.alert_message}}' ? text : (filled[placeholder] ?? placeholder)
    })
  })
}

describe('the message for', { timeout: 60_000 }, () => {
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

  test('3Commas is JSON with the keys it lists, in its order, and no other', async () => {
    const wanted = ['secret', 'max_lag', 'timestamp', 'trigger_price', 'tv_exchange', 'tv_instrument']
    for (const message of await posted('3Commas')) {
      const parsed: Record<string, unknown> = JSON.parse(message)
      expect(Object.keys(parsed)).toEqual([...wanted, 'action', 'bot_uuid', 'strategy_info', 'order'])
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
    const messages = await posted('PineConnector')
    for (const message of messages) {
      expect(message).toMatch(/^YOUR-LICENSE-ID,(?:buy|sell|closelong|closeshort),SAMPLE,vol_lots=0\.01$/)
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

describe('every template', () => {
  test('names a message format that the script offers', () => {
    const offered = /"Message format",[\s\S]*?options = \[([^\]]+)\]/.exec(shippedScript())?.[1] ?? ''
    expect(scriptInputs(shippedScript()).map(({ title }) => title)).toContain('Message format')
    for (const { messageFormat } of messageTemplates) expect(offered).toContain(`"${messageFormat}"`)
  })

  test('uses only placeholders of TradingView, and explains every word to replace', () => {
    for (const { message, replacements } of messageTemplates) {
      const replaced = replacements.map((sentence) => /^`([^`]+)` is /.exec(sentence)?.[1] ?? '')
      const placeholders = message.match(/\{\{[^}]+\}\}/g) ?? []
      const unknown = placeholders.filter(
        (each) => each !== '{{strategy.order.alert_message}}' && !(each in filled),
      )
      expect(unknown).toEqual([])
      for (const word of replaced) expect(message).toContain(word)
      expect(replaced).not.toContain('')
      const toReplace: string[] = message.match(/YOUR-[A-Z-]+/g) ?? []
      expect(toReplace.filter((word) => !replaced.includes(word))).toEqual([])
    }
  })
})
