import type { Content } from '#content/content.ts'
import type { SiteContent } from '#site/site-content.ts'
import { escapeHtml } from '#site/text/escape-html.ts'
import { type ScriptInput, scriptInputs } from '../kit/script-inputs.ts'
import { guideContent, type GuideTable, type StepContent } from './guide-content.ts'

/**
 * The setup guide as HTML for the personal page: words and pictures of the PDF, each part to be
 * opened by a press.
 */
export function guideAsHtml(content: SiteContent, script: string): string {
  const { words, steps, inputs } = guideContent(content, script)
  const { paper, risk } = words
  const lastTimed = steps.findLast((step) => step.minute !== undefined)
  const rules = `${actions(paper.rules)}\n<h4>${escapeHtml(paper.limitsTitle)}</h4>\n<ul>${list(paper.limits)}</ul>`
  const trademarks = `<p class="soft">${marked(risk.trademarks)}</p>`
  return [
    ...steps.map((step) => {
      const { minute } = content.personalPage.guide
      // Once the last of these is done the ten minutes are over.
      const head = step === lastTimed ? { tag: words.done } : { minute: minuteOf(step, minute) }
      return stepPart(step, head, words)
    }),
    part(paper, `${paragraph(paper.intro)}\n${rules}`),
    part(inputs, `${paragraph(inputs.intro)}\n${inputTable(inputs.columns, scriptInputs(script))}`),
    part(risk, `${paragraph(content.landingPage.footer.risk)}\n${trademarks}`),
  ].join('\n')
}

function minuteOf({ minute }: StepContent, unit: string): string | undefined {
  return minute === undefined ? undefined : `${minute} ${unit}`
}

function stepPart(
  { id, title, number, ...step }: StepContent,
  onAxis: Pick<PartHead, 'minute' | 'tag'>,
  words: Content['setupGuide'],
): string {
  const content = [
    paragraph(step.intro),
    actions(step.actions),
    figure(step),
    `<p class="guide-check"><strong>${escapeHtml(words.youShouldSee)}</strong> ${marked(step.youShouldSee)}</p>`,
    step.table ? table(step.table) : '',
    `<p class="guide-help"><strong>${escapeHtml(words.nothingThere)}</strong> ${marked(step.help)}</p>`,
    step.link
      ? `<p><a class="text-link" href="${escapeHtml(step.link.url)}">${escapeHtml(step.link.text)}</a></p>`
      : '',
  ]
  return part({ id, title, number, ...onAxis }, content.join('\n'))
}

/** `minute`: on the axis. `tag`: on a dark plate on the axis. */
interface PartHead {
  id: string
  title: string
  number?: number
  minute?: string | undefined
  tag?: string
}

/** The id is inside: only then does a link to it open the part. */
function part({ id, title, number, minute, tag }: PartHead, content: string): string {
  const numbered =
    number === undefined ? '' : `<span class="guide-number mono soft">${number}</span> `
  const onAxis = minute ? `<span class="guide-minute mono soft">${escapeHtml(minute)}</span>` : ''
  const plate = tag ? `<span class="guide-minute tag mono">${escapeHtml(tag)}</span>` : ''
  return `<details class="guide-step">
<summary><h3>${numbered}${escapeHtml(title)}</h3>${onAxis}${plate}</summary>
<div class="guide-content" id="${escapeHtml(id)}">
${content}
</div>
</details>`
}

function figure({ picture, caption }: Pick<StepContent, 'picture' | 'caption'>): string {
  if (!picture) return ''
  const below = caption ? `\n<figcaption class="mono soft">${marked(caption)}</figcaption>` : ''
  return `<figure class="guide-figure guide-figure-${picture.name}">${picture.svg}${below}</figure>`
}

function paragraph(sentence: string): string {
  return `<p>${marked(sentence)}</p>`
}

function list(items: readonly string[]): string {
  return items.map((item) => `<li>${marked(item)}</li>`).join('')
}

function actions(items: readonly string[]): string {
  return `<ol class="guide-actions" type="a">${list(items)}</ol>`
}

/** Names and what they mean, without a head. */
function table({ rows }: GuideTable): string {
  const body = rows.map(([name = '', ...cells]) => {
    const rest = cells.map((cell) => `<td>${marked(cell)}</td>`).join('')
    return `<tr><th scope="row">${escapeHtml(name)}</th>${rest}</tr>`
  })
  return `<table class="guide-table"><tbody>${body.join('')}</tbody></table>`
}

/** On a phone what an input does is below its name and default: see guide.css. */
function inputTable(
  [name = '', defaultValue = '', effect = '']: readonly string[],
  inputs: readonly ScriptInput[],
): string {
  const head = [
    `<th class="mono soft guide-input" scope="col">${escapeHtml(name)}</th>`,
    `<th class="mono soft" scope="col">${escapeHtml(defaultValue)}</th>`,
    `<th class="mono soft guide-effect" scope="col">${escapeHtml(effect)}</th>`,
  ]
  const rows = inputs.map((input) => {
    const title = `<th class="guide-input" scope="row">${escapeHtml(input.title)}</th>`
    const value = `<td>${marked(input.default)}</td>`
    return `<tr>${title}${value}<td class="guide-effect">${marked(input.tooltip)}</td></tr>`
  })
  return `<table class="guide-table guide-inputs"><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** `*so*` marks a name on the screen, `` `so` `` code. */
export function marked(sentence: string): string {
  return escapeHtml(sentence)
    .replaceAll(/\*([^*]+)\*/g, '<strong>$1</strong>')
    .replaceAll(/`([^`]+)`/g, '<code translate="no">$1</code>')
}
