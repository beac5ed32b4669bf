import type { Drawing, Lettering, Point, Shape } from './drawing.ts'
import { printInk } from './sheet.ts'
import { putTag, type Tag } from './tags.ts'
import { measureText, putText } from './typesetting.ts'

/** Puts a drawing on the page, as one tagged figure and as wide as given; returns where it ends. */
export function putDrawing(
  doc: PDFKit.PDFDocument,
  parent: Tag,
  drawing: Drawing,
  place: { readonly x: number; readonly y: number; readonly width: number },
): number {
  const scale = place.width / drawing.width
  const bottom = place.y + drawing.height * scale
  const draw = () => {
    doc.save().translate(place.x, place.y).scale(scale)
    for (const shape of drawing.shapes) putShape(doc, shape)
    doc.restore()
  }
  putTag(doc, parent, 'Figure', draw, {
    alt: drawing.description,
    bbox: [place.x, place.y, place.x + place.width, bottom],
  })
  return bottom
}

function putShape(doc: PDFKit.PDFDocument, shape: Shape): void {
  switch (shape.kind) {
    case 'path':
      doc.path(shape.d).lineJoin('round')
      return paint(
        doc,
        shape.fill && printInk[shape.fill],
        shape.stroke && printInk[shape.stroke],
        shape.weight,
      )
    case 'rect':
      doc.rect(shape.x, shape.y, shape.width, shape.height)
      return paint(
        doc,
        shape.fill && printInk[shape.fill],
        shape.stroke && printInk[shape.stroke],
        shape.weight,
      )
    case 'line':
      trace(doc, shape.points)
      doc.lineJoin('round')
      return paint(doc, undefined, printInk[shape.stroke], shape.weight)
    case 'polygon':
      trace(doc, shape.points)
      doc.closePath()
      return paint(doc, printInk[shape.fill], undefined)
    case 'text':
      return letter(doc, shape)
    default:
      return shape satisfies never
  }
}

function trace(doc: PDFKit.PDFDocument, points: readonly Point[]): void {
  for (const [index, [x, y]] of points.entries()) {
    if (index === 0) doc.moveTo(x, y)
    else doc.lineTo(x, y)
  }
}

function paint(
  doc: PDFKit.PDFDocument,
  fill: string | undefined,
  stroke: string | undefined,
  weight = 0.75,
): void {
  doc.lineWidth(weight)
  if (fill && stroke) doc.fillAndStroke(fill, stroke)
  else if (fill) doc.fill(fill)
  else if (stroke) doc.stroke(stroke)
}

function letter(doc: PDFKit.PDFDocument, shape: Lettering): void {
  const style = { size: shape.size, leading: shape.size, face: shape.face, ink: shape.ink }
  const width = measureText(doc, shape.text, style)
  const shift = shape.align === 'right' ? width : shape.align === 'centre' ? width / 2 : 0
  const x = shape.x - shift
  if (shape.halo) {
    doc.rect(x - 2, shape.y - shape.size * 0.85, width + 4, shape.size * 1.15).fill(printInk.paper)
  }
  putText(doc, shape.text, x, shape.y, style)
}
