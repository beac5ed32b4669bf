import { ContentFault } from '../content-fault.ts'
import { printInk, sheet, textWidth } from './sheet.ts'
import { artifact, openTag, putLink, putTag, type Tag } from './tags.ts'
import { balanceLines, breakLines, measureText, putLines, putText, type TextStyle } from './typesetting.ts'

const body: TextStyle = { size: 11, leading: 16.5, face: 'text', ink: 'ink' }
export const small: TextStyle = { size: 9.5, leading: 14.5, face: 'text', ink: 'ink' }
export const caption: TextStyle = { size: 8.5, leading: 12, face: 'mono', ink: 'ink2' }
const heading: TextStyle = { size: 30, leading: 31.5, face: 'medium', ink: 'ink', tracking: -0.02 }
const letterLabel: TextStyle = { size: 9, leading: 12, face: 'mono', ink: 'ink' }

const lowestBaseline = 816

/** A page does not go on overleaf: words too many would run off it. */
export function mustEndOnPage(baseline: number, title: string): void {
  const over = Math.ceil((baseline - lowestBaseline) / body.leading)
  if (over > 0)
    throw new ContentFault(
      `The guide's page "${title}" is ${over} lines too long: shorten it in content/setup-guide.ts.`,
    )
}

/** The heading of a page, in lines of like length; returns the last base line. */
export function putHeading(doc: PDFKit.PDFDocument, parent: Tag, title: string): number {
  const lines = balanceLines(doc, title, heading, textWidth)
  let bottom = 0
  putTag(doc, parent, 'H2', () => {
    bottom = putLines(doc, lines, sheet.left - 1, 137, heading)
  })
  return bottom
}

/** A paragraph, first base line given; returns the last one. */
export function putParagraph(
  doc: PDFKit.PDFDocument,
  parent: Tag,
  text: string,
  baseline: number,
  style: TextStyle = body,
): number {
  let bottom = baseline
  putTag(doc, parent, 'P', () => {
    bottom = putLines(doc, breakLines(doc, text, style, textWidth), sheet.left, baseline, style)
  })
  return bottom
}

/** Actions between hairlines, opened by a strong rule: a, b, c. Returns the last rule. */
export function putActions(
  doc: PDFKit.PDFDocument,
  parent: Tag,
  actions: readonly string[],
  top: number,
  style: TextStyle = body,
): number {
  const list = openTag(doc, parent, 'L')
  let y = top
  rule(doc, y, 'ink')
  for (const [index, action] of actions.entries()) {
    const lines = breakLines(doc, action, style, textWidth - 25)
    const first = y + 21
    const item = openTag(doc, list, 'LI')
    putTag(doc, item, 'Lbl', () => putText(doc, letterOf(index), sheet.left, first - 0.8, letterLabel))
    putTag(doc, item, 'LBody', () => putLines(doc, lines, sheet.left + 25, first, style))
    item.end()
    y = first + (lines.length - 1) * style.leading + 13
    rule(doc, y, 'rule')
  }
  list.end()
  return y
}

/** The help note with its bar; returns where it ends. */
export function putHelp(
  doc: PDFKit.PDFDocument,
  parent: Tag,
  question: string,
  answer: string,
  top: number,
): number {
  const lines = breakLines(doc, `*${question}* ${answer}`, body, textWidth - 18.5)
  const bottom = top + lines.length * body.leading
  artifact(doc, () => doc.rect(sheet.left, top, 4.5, bottom - top).fill(printInk.slow))
  putTag(doc, parent, 'P', () => putLines(doc, lines, sheet.left + 18.5, top + 12.2, body))
  return bottom
}

/** What the reader can check: the ticked square of a success. Returns the last base line. */
export function putCheck(
  doc: PDFKit.PDFDocument,
  parent: Tag,
  label: string,
  text: string,
  baseline: number,
): number {
  const lines = breakLines(doc, `*${label}* ${text}`, body, textWidth - 18.5)
  artifact(doc, () => tickedSquare(doc, sheet.left, baseline - 8.6))
  let bottom = baseline
  putTag(doc, parent, 'P', () => {
    bottom = putLines(doc, lines, sheet.left + 18.5, baseline, body)
  })
  return bottom
}

/** A line of its own that leads somewhere. */
export function putLinkLine(
  doc: PDFKit.PDFDocument,
  parent: Tag,
  link: { readonly text: string; readonly url: string },
  baseline: number,
): void {
  const paragraph = openTag(doc, parent, 'P')
  const width = measureText(doc, link.text, small)
  putLink(doc, paragraph, link.url, link.text, [sheet.left, baseline - 11, width, 16], () => {
    putText(doc, link.text, sheet.left, baseline, small)
    doc
      .moveTo(sheet.left, baseline + 3)
      .lineTo(sheet.left + width, baseline + 3)
      .lineWidth(1.2)
      .stroke(printInk.slow)
  })
  paragraph.end()
}

function tickedSquare(doc: PDFKit.PDFDocument, x: number, y: number): void {
  doc
    .lineWidth(1.2)
    .rect(x + 0.6, y + 0.6, 9.4, 9.4)
    .stroke(printInk.up)
  doc
    .moveTo(x + 2.8, y + 5.4)
    .lineTo(x + 4.7, y + 7.4)
    .lineTo(x + 8, y + 3.2)
    .stroke(printInk.up)
}

export function rule(
  doc: PDFKit.PDFDocument,
  y: number,
  ink: 'ink' | 'rule',
  right: number = sheet.textRight,
): void {
  artifact(doc, () => {
    const weight = ink === 'ink' ? 1 : 0.75
    doc.moveTo(sheet.left, y).lineTo(right, y).lineWidth(weight).stroke(printInk[ink])
  })
}

function letterOf(index: number): string {
  return String.fromCodePoint('a'.codePointAt(0)! + index)
}
