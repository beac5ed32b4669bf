import { describe, expect, test } from 'vitest'
import { type PineMessage, runPine, shippedScript } from '#lab/pine/pine-runner.ts'
import { priceSeries } from '#lab/pine/price-series.ts'
import { personalPage } from '#content/pages/personal-page.ts'
import { releases } from '#content/releases.ts'
import {
  type Bridge,
  cleanSize,
  cleanSymbol,
  type ExitsSwitch,
  messageFor,
  scriptMessage,
  takes,
} from './bridge.ts'
import { bridges } from './bridges.ts'
import { ourMessages } from '../alert/known-messages.ts'
import { readAlert } from '../alert/read-alert.ts'

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

/** One way to fill in the page's form. */
interface Combination {
  readonly bridge: Bridge
  readonly direction: string
  readonly exits: ExitsSwitch
  readonly symbol: string
  readonly size: string
}

/** Every way that the page offers, with each field empty and filled in. */
const combinations: Combination[] = bridges
  .filter(({ message }) => message !== undefined)
  .flatMap((bridge) =>
    Object.values(personalPage.bridges.directions).flatMap((direction) =>
      (bridge.withExits ? (['off', 'on'] as const) : (['off'] as const)).flatMap((exits) =>
        (takes(bridge, 'symbol', exits) ? ['', 'MNQZ2026'] : ['']).flatMap((symbol) =>
          (takes(bridge, 'size', exits) ? ['', '2'] : ['']).map((size) => {
            return { bridge, direction, exits, symbol, size }
          }),
        ),
      ),
    ),
  )

const knownMessages = ourMessages()

/** The script's messages by its settings: each run takes a second. */
const runs = new Map<string, Promise<readonly PineMessage[]>>()

function messagesOfScript({
  bridge,
  direction,
  exits,
}: Combination): Promise<readonly PineMessage[]> {
  const inputs = {
    Direction: direction,
    'Stop, %': 1,
    'Target, %': 2,
    'Message format': bridge.messageFormat ?? 'JSON (TradersPost)',
    [personalPage.bridges.sendExits]: exits === 'on',
  }
  const settings = JSON.stringify(inputs)
  const known = runs.get(settings)
  if (known) return known
  const run = runPine(shippedScript(), priceSeries.chop, { inputs }).then(
    ({ messages }) => messages,
  )
  runs.set(settings, run)
  return run
}

interface Posted {
  readonly text: string
  readonly isEntry: boolean
}

/** The posts of an alert with this message in its box, over a run with stops and targets. */
async function posted(combination: Combination): Promise<Posted[]> {
  const box = messageFor(combination.bridge, combination) ?? ''
  const messages = await messagesOfScript(combination)
  expect(messages.length).toBeGreaterThan(30)
  return messages.map(({ order, text }) => {
    const values: Record<string, string> = { ...filled, '{{strategy.order.alert_message}}': text }
    return {
      isEntry: order === 'entry',
      text: box.replaceAll(/\{\{[^}]+\}\}/g, (placeholder) => values[placeholder] ?? placeholder),
    }
  })
}

/** Checks a message by the page that documents the bridge's format. */
type Grammar = (message: Posted, combination: Combination) => void

/** TradersPost's keys. Of the two exits it takes a type and a percentage. */
const tradersPost: Grammar = ({ text, isEntry }, { exits, symbol, size }) => {
  const isSent = exits === 'on' && isEntry
  expect(JSON.parse(text)).toStrictEqual({
    ticker: symbol || 'SAMPLE',
    action: expect.stringMatching(/^(?:buy|sell)$/),
    sentiment: expect.stringMatching(/^(?:long|short|flat)$/),
    signalPrice: expect.any(Number),
    ...(size && { quantity: Number(size) }),
    ...(isSent && {
      stopLoss: { type: 'stop', percent: 1 },
      takeProfit: { percent: 2 },
    }),
  })
}

/** Licence, command, symbol, parameters: each once, in this order. */
const pineConnector: Grammar = ({ text, isEntry }, { direction, exits, symbol, size }) => {
  const shorts = direction === personalPage.bridges.directions.longAndShort
  const entry = shorts ? '(?:buy|sell)' : 'buy'
  const close = shorts ? '(?:closelong|closeshort)' : 'closelong'
  const parameters = exits === 'on' && isEntry ? ',sl_pct=1,tp_pct=2' : ''
  expect(text).toMatch(
    new RegExp(
      `^YOUR-LICENSE-ID,${isEntry ? entry : close},${symbol || 'SAMPLE'}${parameters},vol_lots=${size || 'YOUR-LOTS'}$`,
    ),
  )
}

const grammars: Record<string, Grammar> = {
  traderspost: tradersPost,
  pineconnector: pineConnector,
  '3commas': ({ text }, { symbol, size }) => expectThreeCommas(JSON.parse(text), symbol, size),
  alertatron: ({ text }, { symbol }) => {
    expect(text).toMatch(
      new RegExp(
        `^YOUR-KEYS\\(${symbol || 'SAMPLE'}\\) \\{ market\\(position=-?[\\d.]+\\); \\} #bot$`,
      ),
    )
  },
  'own-webhook': tradersPost,
}

/** The keys it lists, in its order, and no other. */
function expectThreeCommas(message: Record<string, unknown>, symbol: string, size: string): void {
  const wanted = ['secret', 'max_lag', 'timestamp', 'trigger_price', 'tv_exchange', 'tv_instrument']
  expect(Object.keys(message)).toEqual([...wanted, 'action', 'bot_uuid', 'strategy_info', 'order'])
  expect(Object.keys(message['strategy_info'] ?? {})).toEqual([
    'market_position',
    'market_position_size',
    'prev_market_position',
    'prev_market_position_size',
  ])
  expect(message['tv_instrument']).toBe(symbol || 'SAMPLE')
  expect(message['order']).toEqual({
    amount: size || filled['{{strategy.order.contracts}}'],
    currency_type: 'base',
  })
}

test.each(
  combinations.map((combination) => {
    const { bridge, direction, exits, symbol, size } = combination
    const fields = [symbol && 'a symbol', size && 'a size'].filter(Boolean).join(' and ')
    const name = `${bridge.name}, ${direction}, stop and target ${exits}, ${fields || 'no field'}`
    return { name, combination }
  }),
)('every message is of the bridge’s grammar: $name', async ({ combination }) => {
  const grammar = grammars[combination.bridge.id]
  for (const message of await posted(combination)) grammar?.(message, combination)
})

test.each(bridges)('the page’s reader knows every message for $name', async (bridge) => {
  for (const combination of combinations.filter((one) => one.bridge === bridge)) {
    const isByScript = messageFor(bridge, combination)?.includes(scriptMessage)
    for (const message of await posted(combination)) {
      const isEntry = message.isEntry || !isByScript // what `filled` says
      const sent = message.text.replaceAll(/YOUR-[A-Z-]+/g, '1')
      expect(readAlert(sent, knownMessages, combination)).toEqual({
        does: expect.stringMatching(/^(?:Buys|Sells) /),
        order: isEntry ? expect.stringMatching(/^(?:entry|short)$/) : 'exit',
        faults: [],
      })
    }
  }
})

test('settings, message and check-list agree with the switch "Stop and target"', () => {
  for (const { withExits, messageFormat = '', checks } of bridges) {
    if (!withExits) continue
    expect(checks[0]).toContain(`*${messageFormat}*`)
    expect(checks[0]).toContain(`*${personalPage.bridges.sendExits}* is off.`)
    expect(withExits.checks[0]).toBe(checks[0]?.replace('is off.', 'is on.'))
    expect(withExits.message).not.toContain('{symbol}') // the script writes it
  }
})

test.each(bridges)(
  '$name: known placeholders, a format of the script, and where it documents its format',
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
    expect(bridge.source).toMatch(/^https:\/\//)
    expect((bridge.message === undefined) !== (bridge.ownMessage === undefined)).toBe(true)
  },
)

describe('what is filled in', () => {
  test('cannot end a value or a field of the message', () => {
    expect(cleanSymbol(' "MNQ", Z2026\\ } ')).toBe('MNQZ2026')
  })

  test.each([
    ['1', '1'],
    [' 0,01 ', '0.01'],
    ['0,005', '0.005'],
    ['1.000', '1.000'],
    ['.5', '0.5'],
    ['007', '7'],
    ['', ''],
  ])('%j is the size %j', (typed, size) => {
    expect(cleanSize(typed)).toBe(size)
  })

  test.each(['0', '-1', '1e3', 'two', '1;', '1,000', '12,500'])('%j is no size', (typed) => {
    expect(cleanSize(typed)).toBeUndefined()
  })

  test.each([
    ['.5', 0.5],
    ['007', 7],
    ['0,25', 0.25],
  ])('the size %j is a number of JSON in the message', (typed, quantity) => {
    const message = messageFor(bridgeNamed('TradersPost'), { size: cleanSize(typed)! })!
    expect(JSON.parse(message.replaceAll(/\{\{[\w.]+\}\}/g, '1'))).toMatchObject({ quantity })
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
