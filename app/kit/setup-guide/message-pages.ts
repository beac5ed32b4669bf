import { setupGuide } from '#content/setup-guide.ts'
import { messagesOfTrade } from '../alert-message.ts'
import { sampleRun } from '../crossover-run.ts'
import { messageTemplates, type MessageTemplate } from '../message-templates.ts'
import { putSubheading } from './back-pages.ts'
import { putMinuteAxis } from './minute-axis.ts'
import { putHeading, putLinkLine, putParagraph, small } from './page-parts.ts'
import { printInk, sheet, textWidth } from './sheet.ts'
import { artifact, openTag, putTag, type Tag } from './tags.ts'
import { breakLines, putLines, putText, type TextStyle } from './typesetting.ts'

const code: TextStyle = { size: 7.8, leading: 10.3, face: 'mono', ink: 'ink' }
const codePadding = 8
const lastBaseline = 800
const continuedTop = 100
const gap = 18

/** What to paste for each service: one block after the other, on as many pages as they need. */
export function putMessagePages(doc: PDFKit.PDFDocument, guide: Tag, firstPage: number): void {
  const { title, intro, warning } = setupGuide.messages
  let page = firstPage
  putMinuteAxis(doc, page)
  const section = openTag(doc, guide, 'Sect')
  const heading = putHeading(doc, section, title)
  let y = putParagraph(doc, section, intro, heading + 28.5) + gap
  for (const template of messageTemplates) {
    const parts = templateParts(doc, section, template)
    const height = parts.reduce((sum, part) => sum + part.height, 0)
    if (y + height > lastBaseline) {
      doc.addPage()
      putMinuteAxis(doc, ++page)
      y = continuedTop
    }
    for (const part of parts) {
      part.put(y)
      y += part.height
    }
    y += gap
  }
  putParagraph(doc, section, warning, y)
  section.end()
}

/** A part is put with its top at y. */
interface Part {
  readonly height: number
  readonly put: (y: number) => void
}

function templateParts(doc: PDFKit.PDFDocument, section: Tag, template: MessageTemplate): Part[] {
  const { format, arrives, onlyATrialTells, source } = setupGuide.messages
  const isScriptMessage = template.replace.length === 0
  return [
    { height: 18, put: (y) => putSubheading(doc, section, template.service, y) },
    sentence(doc, section, `${format} *${template.messageFormat}*`),
    codeBlock(doc, section, template.message),
    ...(isScriptMessage ? [sentence(doc, section, arrives), codeBlock(doc, section, exampleMessage())] : []),
    ...replacements(doc, section, template),
    ...(template.caution ? [sentence(doc, section, template.caution)] : []),
    sentence(doc, section, `*${onlyATrialTells}* ${lowerFirst(template.unchecked)}`),
    {
      height: 18,
      put: (y) =>
        putLinkLine(doc, section, { text: `${source} ${template.service}`, url: template.source }, y),
    },
  ]
}

function sentence(doc: PDFKit.PDFDocument, section: Tag, text: string): Part {
  const lines = breakLines(doc, text, small, textWidth)
  return {
    height: lines.length * small.leading + 2,
    put: (y) => putTag(doc, section, 'P', () => putLines(doc, lines, sheet.left, y, small)),
  }
}

function codeBlock(doc: PDFKit.PDFDocument, section: Tag, text: string): Part {
  const lines = text.split('\n')
  const height = lines.length * code.leading + 2 * codePadding - 3
  return {
    height: height + 12,
    put: (y) => {
      const top = y - 9
      artifact(doc, () => doc.rect(sheet.left, top, textWidth, height).lineWidth(0.75).stroke(printInk.rule))
      putTag(doc, section, 'Code', () => {
        for (const [index, line] of lines.entries()) {
          putText(doc, line, sheet.left + codePadding, top + codePadding + 6 + index * code.leading, code)
        }
      })
    },
  }
}

function replacements(doc: PDFKit.PDFDocument, section: Tag, template: MessageTemplate): Part[] {
  const rows = template.replace.map(({ word, by }) => `\`${word}\` is ${by}.`)
  const broken = rows.map((row) => breakLines(doc, row, small, textWidth))
  const height = broken.reduce((sum, lines) => sum + lines.length * small.leading + 1, 0)
  if (rows.length === 0) return []
  return [{ height: height + 2, put: (y) => putReplacements(doc, section, broken, y) }]
}

function putReplacements(
  doc: PDFKit.PDFDocument,
  section: Tag,
  rows: readonly ReturnType<typeof breakLines>[],
  baseline: number,
): void {
  const list = openTag(doc, section, 'L')
  let y = baseline
  for (const lines of rows) {
    const item = openTag(doc, list, 'LI')
    putTag(doc, item, 'LBody', () => putLines(doc, lines, sheet.left, y, small))
    item.end()
    y += lines.length * small.leading + 1
  }
  list.end()
}

function exampleMessage(): string {
  return messagesOfTrade(sampleRun(), 2).entry
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
