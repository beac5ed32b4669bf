import { setupGuide, type GuideStep } from '#content/setup-guide.ts'
import { scriptInputs } from './script-inputs.ts'
import { drawingAsSvg, escapeHtml } from './setup-guide/drawing-as-svg.ts'
import { defaultLengths, stepPicture } from './setup-guide/step-figures.ts'
import { shippedScript } from './shipped-script.ts'

/** The setup guide as HTML for the personal page: the words and pictures of the PDF, headings from h2 down. */
export function guideAsHtml(script: string = shippedScript()): string {
  return `<section class="guide" id="guide">
<h2>${setupGuide.title}</h2>
<p class="guide-subtitle">${marked(setupGuide.subtitle)}</p>
${contents()}
${setupGuide.steps.map((step, index) => stepSection(step, index + 1, script)).join('\n')}
${paperSection()}
${inputsSection(script)}
</section>`
}

function contents(): string {
  const items = setupGuide.steps.map(
    ({ id, title, minute }) =>
      `<li><a href="#${id}">${title}</a> <span class="guide-minute">${minute} min</span></li>`,
  )
  return `<ol class="guide-contents">${items.join('')}</ol>`
}

function stepSection(step: GuideStep, number: number, script: string): string {
  const link = step.link ? `<p class="guide-link"><a href="${step.link.url}">${step.link.text}</a></p>` : ''
  return `<section class="guide-step" id="${step.id}">
<h3><span class="guide-number">${number}</span> ${step.title}</h3>
<p class="guide-minute">Minute ${step.minute} to ${step.untilMinute}</p>
<p>${marked(step.intro)}</p>
${actions(step.actions)}
<figure class="guide-figure guide-figure-${step.picture}">${drawingAsSvg(stepPicture(step, script))}
<figcaption>${marked(step.caption)}</figcaption></figure>
<p class="guide-check"><strong>${setupGuide.youShouldSee}</strong> ${marked(step.youShouldSee)}</p>
${stepTable(step, script)}
<p class="guide-help"><strong>${setupGuide.nothingThere}</strong> ${marked(step.help)}</p>
${link}
</section>`
}

function stepTable(step: GuideStep, script: string): string {
  if (step.picture === 'crossing') {
    const { columns, fast, slow } = setupGuide.lines
    const lengths = defaultLengths(script)
    return table(columns, [
      ['fast', lengths.fast, fast],
      ['slow', lengths.slow, slow],
    ])
  }
  return step.facts
    ? table(
        [],
        step.facts.map(({ name, text }) => [name, text]),
      )
    : ''
}

function paperSection(): string {
  const { paper, risk } = setupGuide
  return `<section class="guide-step" id="${paper.id}">
<h3>${paper.title}</h3>
<p>${marked(paper.intro)}</p>
${actions(paper.rules)}
<h4>${paper.limitsTitle}</h4>
<ul>${paper.limits.map((limit) => `<li>${marked(limit)}</li>`).join('')}</ul>
<h4 id="${risk.id}">${risk.title}</h4>
<p>${marked(risk.text)}</p>
<p class="guide-small">${marked(risk.trademarks)}</p>
</section>`
}

function inputsSection(script: string): string {
  const { id, title, intro, columns } = setupGuide.inputs
  const rows = scriptInputs(script).map((input) => [input.title, input.default, input.tooltip])
  return `<section class="guide-step" id="${id}">
<h3>${title}</h3>
<p>${marked(intro)}</p>
${table(columns, rows)}
</section>`
}

function actions(items: readonly string[]): string {
  return `<ol class="guide-actions" type="a">${items.map((item) => `<li>${marked(item)}</li>`).join('')}</ol>`
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('')
  const body = rows.map(([name = '', ...cells]) => {
    const rest = cells.map((cell) => `<td>${marked(cell)}</td>`).join('')
    return `<tr><th scope="row">${escapeHtml(name)}</th>${rest}</tr>`
  })
  return `<table class="guide-table">${head ? `<thead><tr>${head}</tr></thead>` : ''}<tbody>${body.join('')}</tbody></table>`
}

/** `*so*` marks a name on the screen, `` `so` `` code. */
function marked(sentence: string): string {
  return escapeHtml(sentence)
    .replaceAll(/\*([^*]+)\*/g, '<strong>$1</strong>')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
