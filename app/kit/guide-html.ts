import { kit } from '#content/kit.ts'
import { setupGuide, type GuideStep } from '#content/setup-guide.ts'
import { messagesOfTrade } from './alert-message.ts'
import { sampleRun } from './crossover-run.ts'
import { givenScript } from './given-files.ts'
import { messageTemplates, type MessageTemplate } from './message-templates.ts'
import { releaseOf } from './kit-files.ts'
import { scriptInputs } from './script-inputs.ts'
import { drawingAsSvg, escapeHtml } from './setup-guide/drawing-as-svg.ts'
import { defaultLengths, stepPicture } from './setup-guide/step-figures.ts'

/** The setup guide as HTML for the personal page: words and pictures of the PDF, headings from h3 down. */
export function guideAsHtml(script: string = givenScript()): string {
  return `<p class="guide-subtitle">${marked(setupGuide.subtitle)}</p>
${contents()}
${setupGuide.steps.map((step, index) => stepSection(step, index + 1, script)).join('\n')}
${paperSection()}
${inputsSection(script)}
${kit.script.isYourOwn ? '' : messagesSection()}`
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
${stepFigure(step, script)}
<p class="guide-check"><strong>${setupGuide.youShouldSee}</strong> ${marked(step.youShouldSee)}</p>
${stepTable(step, script)}
<p class="guide-help"><strong>${setupGuide.nothingThere}</strong> ${marked(step.help)}</p>
${link}
</section>`
}

function stepFigure(step: GuideStep, script: string): string {
  const picture = stepPicture(step, script)
  if (!picture) return ''
  const caption = step.caption ? `\n<figcaption>${marked(step.caption)}</figcaption>` : ''
  return `<figure class="guide-figure guide-figure-${step.picture}">${drawingAsSvg(picture)}${caption}</figure>`
}

function stepTable(step: GuideStep, script: string): string {
  if (step.picture === 'crossing' && !kit.script.isYourOwn) {
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
${changes(script)}
</section>`
}

function changes(script: string): string {
  const release = releaseOf(script)
  if (!release) return ''
  const items = release.changes.map((change) => `<li>${marked(change)}</li>`)
  return `<h4>${setupGuide.inputs.newIn} ${release.version}</h4>\n<ul>${items.join('')}</ul>`
}

function messagesSection(): string {
  const { id, title, intro, warning } = setupGuide.messages
  return `<section class="guide-step" id="${id}">
<h3>${title}</h3>
<p>${marked(intro)}</p>
${messageTemplates.map(templateBlock).join('\n')}
<p>${marked(warning)}</p>
</section>`
}

function templateBlock(template: MessageTemplate): string {
  const { format, onlyATrialTells, source } = setupGuide.messages
  const rows = template.replace.map(
    ({ word, by }) => `<li><code>${escapeHtml(word)}</code> is ${marked(by)}.</li>`,
  )
  return `<h4>${template.service}</h4>
<p>${format} <strong>${template.messageFormat}</strong></p>
${codeBlock(template.service, template.message)}
${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : exampleMessage()}
${template.caution ? `<p>${marked(template.caution)}</p>` : ''}
<p><strong>${onlyATrialTells}</strong> ${marked(lowerFirst(template.unchecked))}</p>
<p class="guide-link"><a href="${template.source}">${source} ${template.service}</a></p>`
}

function exampleMessage(): string {
  const { arrives } = setupGuide.messages
  return `<p>${arrives}</p>\n${codeBlock(arrives, messagesOfTrade(sampleRun(), 2).entry)}`
}

/** A region of its own with a stop for the keyboard, since a narrow screen scrolls it. */
function codeBlock(name: string, code: string): string {
  const label = escapeHtml(name)
  return `<pre class="guide-code" tabindex="0" role="region" aria-label="${label}"><code>${escapeHtml(code)}</code></pre>`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
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
