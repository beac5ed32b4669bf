import { printInk, sheet, textWidth } from './sheet.ts'
import { artifact, openTag, putTag, type Tag } from './tags.ts'
import { breakLines, putLines, putText, type TextLine, type TextStyle } from './typesetting.ts'

export interface Column {
  readonly width: number
  readonly style: TextStyle
}

export interface Cell {
  readonly text: string
  readonly style?: TextStyle
}

const heading: TextStyle = { size: 8.5, leading: 12, face: 'mono', ink: 'ink2' }
const padding = 8

/** Puts a table between hairlines from `top` down and returns where it ends. The first cell of a row heads it. */
export function putTable(
  doc: PDFKit.PDFDocument,
  parent: Tag,
  columns: readonly Column[],
  headings: readonly string[] | undefined,
  rows: readonly (readonly Cell[])[],
  top: number,
): number {
  const table = openTag(doc, parent, 'Table')
  let y = top
  if (headings) y = putHeadings(doc, table, columns, headings, y)
  else hairline(doc, y)
  for (const row of rows) y = putRow(doc, table, columns, row, y)
  table.end()
  return y
}

/** How high `putTable` will make a row: for fitting a page. */
function rowHeight(doc: PDFKit.PDFDocument, columns: readonly Column[], row: readonly Cell[]): number {
  return Math.max(...brokenCells(doc, columns, row).map(({ lines, style }) => heightOf(lines, style)))
}

function putHeadings(
  doc: PDFKit.PDFDocument,
  table: Tag,
  columns: readonly Column[],
  headings: readonly string[],
  top: number,
): number {
  const row = openTag(doc, table, 'TR')
  const left = leftEdges(columns)
  for (const [index, text] of headings.entries()) {
    putTag(doc, row, 'TH', () => putText(doc, text, left[index] ?? 0, top + 8, heading), { scope: 'Column' })
  }
  row.end()
  hairline(doc, top + 15)
  return top + 15
}

function putRow(
  doc: PDFKit.PDFDocument,
  table: Tag,
  columns: readonly Column[],
  cells: readonly Cell[],
  top: number,
): number {
  const row = openTag(doc, table, 'TR')
  const left = leftEdges(columns)
  const bottom = top + rowHeight(doc, columns, cells)
  for (const [index, { lines, style }] of brokenCells(doc, columns, cells).entries()) {
    const draw = () => putLines(doc, lines, left[index] ?? 0, top + padding + style.size * 0.88, style)
    if (index === 0) putTag(doc, row, 'TH', draw, { scope: 'Row' })
    else putTag(doc, row, 'TD', draw)
  }
  row.end()
  hairline(doc, bottom)
  return bottom
}

function brokenCells(doc: PDFKit.PDFDocument, columns: readonly Column[], cells: readonly Cell[]) {
  return columns.map((column, index): { lines: TextLine[]; style: TextStyle } => {
    const cell = cells[index] ?? { text: '' }
    const style = cell.style ?? column.style
    return { lines: breakLines(doc, cell.text, style, column.width - 8), style }
  })
}

function heightOf(lines: readonly TextLine[], style: TextStyle): number {
  return padding * 2 + style.size + (lines.length - 1) * style.leading
}

function leftEdges(columns: readonly Column[]): number[] {
  let x: number = sheet.left
  return columns.map((column) => {
    const left = x
    x += column.width
    return left
  })
}

function hairline(doc: PDFKit.PDFDocument, y: number): void {
  artifact(doc, () => {
    doc
      .moveTo(sheet.left, y)
      .lineTo(sheet.left + textWidth, y)
      .lineWidth(0.75)
      .stroke(printInk.rule)
  })
}
