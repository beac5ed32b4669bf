import { expect, test } from 'vitest'
import { jsonFault } from './json-fault.ts'

const whole = '{\n "a": "x\\n\\u00e9", "b": [1, -2.5e3, true, null, {}], "c": {"d": ""}\n}'

test('finds a fault just where JSON.parse does', () => {
  const signs = '{}[]",:\\ \n\t1.eu-ax“'
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 3_000; round += 1) {
    const at = random(whole.length)
    const sign = signs[random(signs.length)] ?? ''
    const text = whole.slice(0, at) + (random(3) > 0 ? sign : '') + whole.slice(at + random(3))
    expect({ text, isJson: jsonFault(text) === undefined }).toEqual({ text, isJson: isJson(text) })
  }
})

test('deep brackets end the reading', () => {
  expect(jsonFault('['.repeat(4096))).toMatchObject({ line: 1, column: 52 })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
