import { describe, expect, it } from 'vitest'
import { scriptInputs, titleOnChart } from './script-inputs.ts'

describe('reading the inputs of a Pine script', () => {
  it('reads title, default, tooltip and group, named or positional', () => {
    const [input] = scriptInputs(
      'length = input.int(9, "Length", tooltip = "How many bars.", group = "Lines")',
    )
    expect(input).toEqual({
      name: 'length',
      kind: 'int',
      title: 'Length',
      default: '9',
      tooltip: 'How many bars.',
      group: 'Lines',
    })
  })

  it('reads a call over several lines, with brackets and commas inside strings', () => {
    const source =
      'side = input.string(title = "Side (or, sides)",\n     defval = "Long, only",\n     options = ["Long, only", "Both"])\nx = 1'
    expect(scriptInputs(source)).toMatchObject([
      { title: 'Side (or, sides)', default: 'Long, only' },
    ])
  })

  it('treats a nested call as one argument', () => {
    expect(scriptInputs('x = input.int(math.max(1, 9), "Length")')).toMatchObject([
      { title: 'Length' },
    ])
  })

  it('resolves named strings and joins strings', () => {
    const source =
      'GROUP = "Averages"\nlen = input.int(3, "Len", group = GROUP, tooltip = "One. " +\n     "Two.")'
    expect(scriptInputs(source)).toMatchObject([{ group: 'Averages', tooltip: 'One. Two.' }])
    const single = source.replaceAll('"', "'")
    expect(scriptInputs(single)).toMatchObject([{ group: 'Averages', tooltip: 'One. Two.' }])
  })

  it('shows defaults as the settings dialog does', () => {
    const defaults = (call: string) => scriptInputs(`x = ${call}`)[0]?.default
    expect(defaults('input.bool(true, "A")')).toBe('on')
    expect(defaults('input.bool(false, "A")')).toBe('off')
    expect(defaults('input.float(0.0, "A")')).toBe('0')
    expect(defaults('input.float(1.5, "A")')).toBe('1.5')
    expect(defaults('input.float(-1.5, "A")')).toBe('-1.5')
    expect(defaults('input.int(60 * 24, "A")')).toBe('60 * 24')
    expect(defaults('input.source(close, "A")')).toBe('close')
    expect(defaults('input.time(timestamp("01 Jan 2020 00:00 +0000"), "A")')).toBe('01 Jan 2020')
  })

  it('skips comments, and names an input without a title by its variable', () => {
    expect(scriptInputs('// a = input.int(1, "Old")\nb = input(2) // input.int(3)')).toMatchObject([
      { name: 'b', title: 'b', default: '2' },
    ])
  })

  it('finds the title that the chart shows', () => {
    expect(titleOnChart('strategy("A long name", "Short", overlay = true)')).toBe('Short')
    expect(titleOnChart('strategy("Only name", overlay = true)')).toBe('Only name')
    expect(titleOnChart('strategy(shorttitle = "S", title = "T")')).toBe('S')
  })
})

// Each took minutes, and a script may have 256 kB.
it.each([
  ['texts that no quote closes', `x = input(${'\\"'.repeat(120_000)}`],
  ['single quotes that none closes', `x = input(${"\\'".repeat(120_000)}`],
  ['calls that no bracket closes', 'x = input(\n'.repeat(20_000)],
  ['constants that no quote closes', 'x = "a\n'.repeat(30_000)],
])('%s are read at once', (_, source) => {
  scriptInputs(source)
})
