import { setupGuide, type GuideLink } from '#content/setup-guide.ts'
import { guideContent, type GuideTable, type StepContent } from './guide-content.ts'
import type { MessageTemplate } from '../messages.ts'
import { escapeMarkup } from './pictures.ts'

/** The setup guide as HTML for the personal page: words and pictures of the PDF, headings from h3 down. */
export function guideAsHtml(script?: string): string {
  const { steps, inputs, release, services, exampleMessage } = guideContent(script)
  const { messages, inputs: words } = setupGuide
  const changes = release ? `<h4>${words.newIn} ${release.version}</h4>\n${list(release.changes)}\n` : ''
  return `<p class="guide-subtitle">${marked(setupGuide.subtitle)}</p>
${contents(steps)}
${steps.map(stepSection).join('\n')}
${paperSection()}
${section(words.id, words.title, words.intro, `${table(inputs)}\n${changes}`)}
${services.length > 0 ? section(messages.id, messages.title, messages.intro, `${services.map((template) => serviceBlock(template, exampleMessage)).join('\n')}\n${paragraph(messages.warning)}\n`) : ''}`
}

function contents(steps: readonly StepContent[]): string {
  const items = steps.map(
    ({ id, title, minute }) =>
      `<li><a href="#${id}">${title}</a> <span class="guide-minute">${minute} min</span></li>`,
  )
  return `<ol class="guide-contents">${items.join('')}</ol>`
}

function stepSection(step: StepContent): string {
  return `<section class="guide-step" id="${step.id}">
<h3><span class="guide-number">${step.number}</span> ${step.title}</h3>
<p class="guide-minute">Minute ${step.minute} to ${step.untilMinute}</p>
${paragraph(step.intro)}
${actions(step.actions)}
${figure(step)}
<p class="guide-check"><strong>${setupGuide.youShouldSee}</strong> ${marked(step.youShouldSee)}</p>
${step.table ? table(step.table) : ''}
<p class="guide-help"><strong>${setupGuide.nothingThere}</strong> ${marked(step.help)}</p>
${step.link ? linkLine(step.link) : ''}
</section>`
}

function figure({ picture, caption }: StepContent): string {
  if (!picture) return ''
  const below = caption ? `\n<figcaption>${marked(caption)}</figcaption>` : ''
  return `<figure class="guide-figure guide-figure-${picture.name}">${picture.svg}${below}</figure>`
}

function paperSection(): string {
  const { paper, risk } = setupGuide
  const parts = `${actions(paper.rules)}
<h4>${paper.limitsTitle}</h4>
${list(paper.limits)}
<h4 id="${risk.id}">${risk.title}</h4>
${paragraph(risk.text)}
<p class="guide-small">${marked(risk.trademarks)}</p>
`
  return section(paper.id, paper.title, paper.intro, parts)
}

function serviceBlock(template: MessageTemplate, exampleMessage: string): string {
  const { service, message, replacements, caution, source } = template
  const words = setupGuide.messages
  const arrives = `${paragraph(words.arrives)}\n${codeBlock(words.arrives, exampleMessage)}`
  return [
    `<h4>${service}</h4>`,
    paragraph(`${words.format} *${template.messageFormat}*`),
    codeBlock(service, message),
    replacements.length > 0 ? list(replacements) : arrives,
    ...(caution ? [paragraph(caution)] : []),
    paragraph(`*${words.onlyATrialTells}* ${template.unchecked}`),
    linkLine({ text: `${words.source} ${service}`, url: source }),
  ].join('\n')
}

function section(id: string, title: string, intro: string, parts: string): string {
  return `<section class="guide-step" id="${id}">
<h3>${title}</h3>
${paragraph(intro)}
${parts}</section>`
}

function paragraph(sentence: string): string {
  return `<p>${marked(sentence)}</p>`
}

function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${marked(item)}</li>`).join('')}</ul>`
}

function linkLine({ text, url }: GuideLink): string {
  return `<p class="guide-link"><a href="${url}">${text}</a></p>`
}

/** A focusable region, because it scrolls on a narrow screen. */
function codeBlock(name: string, code: string): string {
  return `<pre class="guide-code" tabindex="0" role="region" aria-label="${escapeMarkup(name)}"><code>${escapeMarkup(code)}</code></pre>`
}

function actions(items: readonly string[]): string {
  return `<ol class="guide-actions" type="a">${items.map((item) => `<li>${marked(item)}</li>`).join('')}</ol>`
}

function table({ columns, rows }: GuideTable): string {
  const head = columns.map((name) => `<th scope="col">${escapeMarkup(name)}</th>`).join('')
  const body = rows.map(([name = '', ...cells]) => {
    const rest = cells.map((cell) => `<td>${marked(cell)}</td>`).join('')
    return `<tr><th scope="row">${escapeMarkup(name)}</th>${rest}</tr>`
  })
  return `<table class="guide-table">${head ? `<thead><tr>${head}</tr></thead>` : ''}<tbody>${body.join('')}</tbody></table>`
}

/** `*so*` marks a name on the screen, `` `so` `` code. */
function marked(sentence: string): string {
  return escapeMarkup(sentence)
    .replaceAll(/\*([^*]+)\*/g, '<strong>$1</strong>')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
