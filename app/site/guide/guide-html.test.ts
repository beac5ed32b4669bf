import { expect, test } from 'vitest'
import { ourContent } from '#rigs/our-content.ts'
import { shippedScript } from '#lab/pine/pine-runner.ts'
import { escapeHtml } from '#site/text/escape-html.ts'
import { fill } from '#site/text/fill.ts'
import { scriptInputs } from '../kit/script-inputs.ts'
import { guideAsHtml, marked } from './guide-html.ts'

const { setupGuide } = ourContent
const names = {
  copyScript: ourContent.personalPage.script.copy,
  bridges: ourContent.personalPage.bridges.heading,
  scriptName: ourContent.fileNames.script,
}
const html = guideAsHtml(ourContent, shippedScript())

test.each(setupGuide.steps)('the personal page has the words of "$title"', (step) => {
  const part = partOf(step.id)
  const said = [step.intro, ...step.actions, step.caption ?? '', step.youShouldSee, step.help]
  for (const sentence of [...said, ...(step.facts ?? []).map((fact) => fact.text)]) {
    expect(part).toContain(marked(fill(sentence, names)))
  }
})

test('the simulation runs within the 10 minutes that the landing page promises; what follows has none', () => {
  const isTimed = setupGuide.steps.map(({ minute }) => minute !== undefined)
  expect(isTimed).toEqual([true, true, true, true, true, false, false, false])
  expect(setupGuide.steps[4]?.untilMinute).toBeLessThan(10)
  expect(partOf('check-the-settings')).toContain('>4 min<')
  expect(partOf('read-the-backtest')).toContain(`tag mono">${escapeHtml(setupGuide.done)}<`)
  expect(partOf('try-an-alert')).not.toContain('guide-minute')
})

test('every input of the script is listed with its default and tooltip', () => {
  for (const { title, default: value, tooltip } of scriptInputs(shippedScript())) {
    expect(html).toContain(
      `<tr><th class="guide-input" scope="row">${title}</th><td>${value}</td><td class="guide-effect">${marked(tooltip)}</td></tr>`,
    )
  }
})

test('markup in names and tooltips of the script is escaped', () => {
  const guide = guideAsHtml(
    ourContent,
    `${shippedScript()}\nx = input.int(1, "A <b>&length", tooltip = "The <i>price.")\n`,
  )
  expect(guide).toContain('<th class="guide-input" scope="row">A &#60;b&#62;&#38;length</th>')
  expect(guide).toContain('<td class="guide-effect">The &#60;i&#62;price.')
})

function partOf(id: string): string {
  const inside = html.indexOf(`id="${id}"`)
  return html.slice(html.lastIndexOf('<details', inside), html.indexOf('</details>', inside))
}
