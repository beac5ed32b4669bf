import { setupGuide } from '#content/setup-guide.ts'
import type { KitRelease } from '#content/releases.ts'
import type { ScriptInput } from '../script-inputs.ts'
import { putMinuteAxis } from './minute-axis.ts'
import { mustEndOnPage, putActions, putHeading, putParagraph, small } from './page-parts.ts'
import { sheet, textWidth } from './sheet.ts'
import { putTable, type Cell } from './table.ts'
import { openTag, putTag, type Tag } from './tags.ts'
import { putText, type TextStyle } from './typesetting.ts'

const subheading: TextStyle = { size: 13, leading: 17, face: 'medium', ink: 'ink', tracking: -0.01 }
const cell: TextStyle = { size: 9, leading: 13, face: 'text', ink: 'ink' }
const monoCell: TextStyle = { size: 8.5, leading: 12, face: 'mono', ink: 'ink' }

/** Paper trading before money, what the script leaves out, and the risk. */
export function putPaperPage(doc: PDFKit.PDFDocument, guide: Tag, page: number): void {
  const { paper, risk } = setupGuide
  putMinuteAxis(doc, page)
  const section = openTag(doc, guide, 'Sect')
  const heading = putHeading(doc, section, paper.title)
  const intro = putParagraph(doc, section, paper.intro, heading + 28.5)
  let y = putActions(doc, section, paper.rules, intro + 24)
  y = putSubheading(doc, section, paper.limitsTitle, y + 40)
  const list = openTag(doc, section, 'L')
  for (const limit of paper.limits) {
    const item = openTag(doc, list, 'LI')
    const bodyTag = openTag(doc, item, 'LBody')
    y = putParagraph(doc, bodyTag, limit, y + 24)
    bodyTag.end()
    item.end()
  }
  list.end()
  y = putSubheading(doc, section, risk.title, y + 48)
  y = putParagraph(doc, section, risk.text, y + 22)
  y = putParagraph(doc, section, risk.trademarks, y + 26, { ...small, ink: 'ink2' })
  section.end()
  mustEndOnPage(y, paper.title)
}

/** Every input of the script, from the script. */
export function putInputsPage(
  doc: PDFKit.PDFDocument,
  guide: Tag,
  page: number,
  inputs: readonly ScriptInput[],
  release: KitRelease | undefined,
): void {
  const { title, intro, columns } = setupGuide.inputs
  putMinuteAxis(doc, page)
  const section = openTag(doc, guide, 'Sect')
  const heading = putHeading(doc, section, title)
  const above = putParagraph(doc, section, intro, heading + 28.5)
  const widths = [
    { width: 118, style: { ...cell, face: 'strong' } },
    { width: 76, style: monoCell },
    { width: textWidth - 194, style: cell },
  ] as const
  const rows = inputs.map((input): Cell[] => [
    { text: input.title },
    { text: input.default },
    { text: input.tooltip },
  ])
  let y = putTable(doc, section, widths, columns, rows, above + 26)
  if (release) {
    y = putSubheading(doc, section, `${setupGuide.inputs.newIn} ${release.version}`, y + 34)
    for (const change of release.changes) y = putParagraph(doc, section, change, y + 20, small)
  }
  section.end()
  mustEndOnPage(y, title)
}

export function putSubheading(doc: PDFKit.PDFDocument, parent: Tag, title: string, baseline: number): number {
  putTag(doc, parent, 'H3', () => putText(doc, title, sheet.left, baseline, subheading))
  return baseline
}
