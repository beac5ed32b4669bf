import { setupGuide, type GuideStep } from '#content/setup-guide.ts'
import type { Drawing } from './drawing.ts'
import { putMinuteAxis } from './minute-axis.ts'
import {
  caption,
  mustEndOnPage,
  putActions,
  putCheck,
  putHeading,
  putHelp,
  putLinkLine,
  putParagraph,
  small,
} from './page-parts.ts'
import { putDrawing } from './put-drawing.ts'
import { pictureWidth, sheet, textWidth } from './sheet.ts'
import { putTable, type Cell, type Column } from './table.ts'
import { openTag, type Tag } from './tags.ts'
import type { TextStyle } from './typesetting.ts'

export interface StepTable {
  readonly columns: readonly Column[]
  readonly headings?: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** One step: what to do, the picture to look for, what should be there now, what to do if it is not. */
export function putStepPage(
  doc: PDFKit.PDFDocument,
  guide: Tag,
  step: GuideStep,
  number: number,
  picture: Drawing | undefined,
  table: StepTable | undefined,
): void {
  putMinuteAxis(doc, number + 1, step)
  const section = openTag(doc, guide, 'Sect')
  const heading = putHeading(doc, section, `${number} ${step.title}`)
  const intro = putParagraph(doc, section, step.intro, heading + 28.5)
  let y = putActions(doc, section, step.actions, intro + 24)
  if (picture) y = putPicture(doc, section, step, picture, y + 17)
  y = putCheck(doc, section, setupGuide.youShouldSee, step.youShouldSee, y + 28)
  if (table) y = putTable(doc, section, table.columns, table.headings, table.rows, y + 16) + 1
  y = putHelp(doc, section, setupGuide.nothingThere, step.help, y + 16)
  if (step.link) putLinkLine(doc, section, step.link, (y += 24))
  section.end()
  mustEndOnPage(y, step.title)
}

/** The drawing with its caption; returns the last base line. */
function putPicture(doc: PDFKit.PDFDocument, section: Tag, step: GuideStep, picture: Drawing, top: number) {
  const width = step.picture === 'crossing' ? pictureWidth : textWidth
  const bottom = putDrawing(doc, section, picture, { x: sheet.left, y: top, width })
  return step.caption ? putParagraph(doc, section, step.caption, bottom + 16, caption) : bottom
}

const nameStyle: TextStyle = { ...small, face: 'strong' }

/** The facts of a step as a table without headings. */
export function factsTable(facts: NonNullable<GuideStep['facts']>): StepTable {
  return {
    columns: [
      { width: 92, style: nameStyle },
      { width: textWidth - 92, style: small },
    ],
    rows: facts.map(({ name, text }) => [{ text: name }, { text }]),
  }
}

const monoCell: TextStyle = { size: 8.5, leading: 12, face: 'mono', ink: 'ink' }

/** The two lines with their default lengths. */
export function linesTable(lengths: { readonly fast: string; readonly slow: string }): StepTable {
  const { columns, fast, slow } = setupGuide.lines
  const row = (name: 'fast' | 'slow', text: string): Cell[] => [
    { text: name, style: { ...monoCell, face: 'monoBold', ink: name } },
    { text: lengths[name] },
    { text },
  ]
  return {
    columns: [
      { width: 39, style: monoCell },
      { width: 58, style: monoCell },
      { width: textWidth - 97, style: monoCell },
    ],
    headings: columns,
    rows: [row('fast', fast), row('slow', slow)],
  }
}
