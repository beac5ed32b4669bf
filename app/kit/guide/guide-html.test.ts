import { describe, expect, it } from 'vitest'
import { kit } from '#content/kit.ts'
import { setupGuide } from '#content/setup-guide.ts'
import { guideAsHtml } from './guide-html.ts'
import { scriptInputs } from '../script-inputs.ts'
import { shippedScript } from '#lab/pine/shipped-script.ts'

const html = guideAsHtml()
const bare = (sentence: string) => sentence.replaceAll(/[*`]/g, '')

describe.skipIf(kit.script.isYourOwn)('the setup guide of our script on the personal page', () => {
  it.each(setupGuide.steps)('has a part for "$title" with the words of the PDF', (step) => {
    const section = textOf(partOf(step.id))
    const actions = [step.firstActionOnPage ?? step.actions[0] ?? '', ...step.actions.slice(1)]
    const said = [step.title, step.intro, ...actions, step.caption ?? '', step.youShouldSee, step.help]
    for (const sentence of [...said, ...(step.facts ?? []).map((fact) => fact.text)]) {
      expect(section).toContain(bare(sentence))
    }
    expect(section).toContain(`${step.minute} min`)
  })

  it.each([
    ['create-one-alert', /alert is a copy .* create a new one/, 'an alert keeps the inputs it was made with'],
    [
      'create-one-alert',
      /15 triggers within 3 minutes/,
      'TradingView stops an alert that triggers too often',
    ],
    ['read-the-backtest', /one whole share or contract/, 'the default order size buys no futures contract'],
    [
      'connect-a-webhook',
      /NQ1! is refused, or changes month/,
      'a continuous future has two rules of rollover',
    ],
    ['on-paper-first', /stop .* not at your broker/, 'no message carries a stop price'],
    ['on-paper-first', /A changed input needs a new alert/, 'a new setting needs a new alert'],
  ])('section %s says %s: %s', (id, warning) => {
    expect(textOf(partOf(id))).toMatch(warning)
  })

  it('ends within the 10 minutes that the landing page promises', () => {
    expect(setupGuide.steps.at(-1)?.untilMinute).toBeLessThanOrEqual(10)
    expect(setupGuide.done).toBe('<10 min')
  })

  it('folds every part, and has the target of its link inside, because only then a link opens it', () => {
    const parts = [
      ...html.matchAll(
        /<details class="guide-step">\s*<summary>.*<\/summary>\s*<div class="guide-content" id="([^"]+)">/g,
      ),
    ]
    expect(parts.map(([, id]) => id)).toEqual([
      ...setupGuide.steps.map(({ id }) => id),
      setupGuide.paper.id,
      setupGuide.inputs.id,
      setupGuide.risk.id,
    ])
  })

  it('tells to press the button of the page instead of opening the file', () => {
    expect(textOf(partOf('paste-the-script'))).toContain('Press Copy script on your page.')
  })

  it('has an alternative text for every drawing', () => {
    const labels = [...html.matchAll(/<svg [^>]*role="img" aria-label="([^"]+)"/g)].map(([, label]) => label)
    expect(labels).toHaveLength(setupGuide.steps.filter(({ picture }) => picture).length)
    for (const label of labels) expect(label?.length).toBeGreaterThan(40)
  })

  it('lists every input of the script with its default and tooltip', () => {
    const rows = [...partOf('every-input').matchAll(/<tr>(.*?)<\/tr>/g)].slice(1)
    const cells = rows.map(([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, text = '']) => textOf(text)),
    )
    expect(cells).toEqual(
      scriptInputs(shippedScript()).map((input) => [input.title, input.default, input.tooltip]),
    )
  })

  it('escapes markup in names and tooltips of the script', () => {
    const script = shippedScript()
      .replace('"Fast length"', '"Fast <b>&length"')
      .replace('"The price both', '"The <i>price both')
    const guide = guideAsHtml(script)
    expect(guide).toContain('<th scope="row">Fast &#60;b&#62;&#38;length</th>')
    expect(guide).toContain('<td>The &#60;i&#62;price both')
    expect(guide).not.toMatch(/<[bi]>/)
  })

  it('needs nothing that a strict Content-Security-Policy forbids', () => {
    expect(html).not.toMatch(/ style=|<style|<script| on\w+=|src=/)
  })

  it('skips no heading level below the h2 of the page', () => {
    const ranks = [...html.matchAll(/<h(\d)/g)].map(([, rank]) => Number(rank))
    expect(ranks[0]).toBe(3)
    for (const [index, rank] of ranks.entries()) expect(rank - (ranks[index - 1] ?? 2)).toBeLessThanOrEqual(1)
  })
})

function partOf(id: string): string {
  const inside = html.indexOf(`id="${id}"`)
  return html.slice(html.lastIndexOf('<details', inside), html.indexOf('</details>', inside))
}

function textOf(markup: string): string {
  return unescaped(markup.replaceAll(/<(?!\/?(?:strong|code)\b)[^>]+>/g, ' ').replaceAll(/<[^>]+>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function unescaped(text: string): string {
  return text
    .replaceAll('&#60;', '<')
    .replaceAll('&#62;', '>')
    .replaceAll('&#34;', '"')
    .replaceAll('&#38;', '&')
}
