import { setupGuide } from '#content/setup-guide.ts'
import { printInk, sheet } from './sheet.ts'
import { artifact } from './tags.ts'
import { putText, type TextStyle } from './typesetting.ts'

const label: TextStyle = { size: 8.5, leading: 11, face: 'mono', ink: 'ink2' }
const tagLabel: TextStyle = { ...label, ink: 'paper' }
const lastMinute = 10

/** Axis of a step page: the minutes 0 to 10, this step's as a tag, its span as a bar. Other pages have no time. */
export function putMinuteAxis(
  doc: PDFKit.PDFDocument,
  page: number,
  span?: { readonly minute: number; readonly untilMinute: number },
): void {
  artifact(
    doc,
    () => {
      axisLine(doc)
      putText(doc, setupGuide.title, sheet.left, 60, label)
      if (span) putMinutes(doc, span)
      putText(doc, String(page), sheet.axisLabel, 811, label)
    },
    'Pagination',
  )
}

function putMinutes(doc: PDFKit.PDFDocument, span: { minute: number; untilMinute: number }): void {
  for (let minute = 0; minute <= lastMinute; minute++) {
    if (minute !== span.minute) putText(doc, String(minute), sheet.axisLabel, heightOf(minute) + 3, label)
  }
  spanBar(doc, span)
  axisTag(doc, heightOf(span.minute) - 8.5, 17, `${span.minute} min`)
}

export function axisLine(doc: PDFKit.PDFDocument): void {
  doc.moveTo(sheet.axis, 0).lineTo(sheet.axis, sheet.height).lineWidth(0.75).stroke(printInk.rule)
}

/** An ink tag across the axis, as the price line of the landing page ends in. */
export function axisTag(doc: PDFKit.PDFDocument, top: number, height: number, text: string): void {
  doc.rect(sheet.axis, top, sheet.width - sheet.axis, height).fill(printInk.ink)
  putText(doc, text, sheet.axisLabel, top + height / 2 + 3, tagLabel)
}

function spanBar(doc: PDFKit.PDFDocument, span: { minute: number; untilMinute: number }): void {
  const top = heightOf(span.minute)
  doc.rect(sheet.axis - 4, top, 4, heightOf(span.untilMinute) - top).fill(printInk.fast)
}

function heightOf(minute: number): number {
  return sheet.minuteZero + minute * sheet.minute
}
