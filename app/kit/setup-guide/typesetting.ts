import type { Face, Ink } from './drawing.ts'
import { printInk } from './sheet.ts'

export interface TextStyle {
  readonly size: number
  readonly leading: number
  readonly face: Face
  readonly ink: Ink
  /** In em, as in CSS. */
  readonly tracking?: number
}

interface Piece {
  readonly face: Face
  readonly text: string
}

export interface TextLine {
  readonly pieces: readonly Piece[]
  readonly width: number
}

/** Breaks a sentence of `content/` into lines; `*so*` is set strong, `` `so` `` in mono. */
export function breakLines(
  doc: PDFKit.PDFDocument,
  sentence: string,
  style: TextStyle,
  maxWidth: number,
): TextLine[] {
  const lines: Piece[][] = [[]]
  for (const word of splitWords(sentence, style)) {
    const current = lines.at(-1) ?? []
    const grown = current.length === 0 ? word : joinWords(current, word, style)
    if (current.length > 0 && measure(doc, grown, style) > maxWidth) lines.push(word)
    else lines[lines.length - 1] = grown
  }
  return lines.map((pieces) => ({ pieces, width: measure(doc, pieces, style) }))
}

/** As few lines as `breakLines` needs, but of nearly the same length: for headings. */
export function balanceLines(
  doc: PDFKit.PDFDocument,
  sentence: string,
  style: TextStyle,
  maxWidth: number,
): TextLine[] {
  let best = breakLines(doc, sentence, style, maxWidth)
  for (let width = maxWidth - 4; width > 40; width -= 4) {
    const narrower = breakLines(doc, sentence, style, width)
    const fits = narrower.every((each) => each.width <= width)
    if (narrower.length > best.length || !fits) break
    best = narrower
  }
  return best
}

/** Puts lines down from a base line and returns the last base line. */
export function putLines(
  doc: PDFKit.PDFDocument,
  lines: readonly TextLine[],
  x: number,
  baseline: number,
  style: TextStyle,
): number {
  let y = baseline
  for (const [index, each] of lines.entries()) {
    y = baseline + index * style.leading
    // A reader that listens needs the space between the last word and the next line.
    const ending = index < lines.length - 1 ? ' ' : ''
    putPieces(doc, each.pieces, ending, x, y, style)
  }
  return y
}

/** One unbroken line, base line given. */
export function putText(doc: PDFKit.PDFDocument, text: string, x: number, y: number, style: TextStyle): void {
  putPieces(doc, [{ face: style.face, text: typographic(text, style.face) }], '', x, y, style)
}

export function measureText(doc: PDFKit.PDFDocument, text: string, style: TextStyle): number {
  return measure(doc, [{ face: style.face, text: typographic(text, style.face) }], style)
}

function putPieces(
  doc: PDFKit.PDFDocument,
  pieces: readonly Piece[],
  ending: string,
  x: number,
  y: number,
  style: TextStyle,
): void {
  let left = x
  for (const [index, piece] of pieces.entries()) {
    const text = index === pieces.length - 1 ? piece.text + ending : piece.text
    doc.fillColor(printInk[style.ink])
    doc.font(piece.face).fontSize(sizeOf(piece.face, style))
    doc.text(text, left, y, {
      lineBreak: false,
      baseline: 'alphabetic',
      characterSpacing: trackingOf(style),
    })
    left += measure(doc, [piece], style)
  }
}

function splitWords(sentence: string, style: TextStyle): Piece[][] {
  const found: Piece[][] = [[]]
  for (const part of sentence.split(/(\*[^*]+\*|`[^`]+`)/)) {
    const face = faceOf(part, style)
    const bare = face === style.face ? part : part.slice(1, -1)
    for (const [index, word] of bare.split(' ').entries()) {
      if (index > 0) found.push([])
      if (word !== '') found.at(-1)?.push({ face, text: typographic(word, face) })
    }
  }
  return found.filter((word) => word.length > 0)
}

function faceOf(part: string, style: TextStyle): Face {
  if (/^\*.+\*$/.test(part)) return 'strong'
  if (/^`.+`$/.test(part)) return 'mono'
  return style.face
}

/** Neighbours of one face become one piece, so that kerning and copying work across the space. */
function joinWords(current: readonly Piece[], word: readonly Piece[], style: TextStyle): Piece[] {
  const [first, ...rest] = word
  const last = current.at(-1)
  if (!first || !last) return [...current, ...word]
  if (last.face === first.face)
    return [...current.slice(0, -1), { face: last.face, text: `${last.text} ${first.text}` }, ...rest]
  // The space takes the face of the sentence, or the letters beside it would carry a foreign width.
  if (last.face === style.face) return [...current.slice(0, -1), { ...last, text: `${last.text} ` }, ...word]
  if (first.face === style.face) return [...current, { ...first, text: ` ${first.text}` }, ...rest]
  return [...current, { face: style.face, text: ' ' }, ...word]
}

function measure(doc: PDFKit.PDFDocument, pieces: readonly Piece[], style: TextStyle): number {
  let width = 0
  for (const piece of pieces) {
    doc.font(piece.face).fontSize(sizeOf(piece.face, style))
    width += doc.widthOfString(piece.text, { characterSpacing: trackingOf(style) })
  }
  return width
}

/** Mono looks larger than Besley at the same size. */
function sizeOf(face: Face, style: TextStyle): number {
  return face === 'mono' && style.face !== 'mono' ? style.size * 0.86 : style.size
}

function trackingOf(style: TextStyle): number {
  return (style.tracking ?? 0) * style.size
}

function typographic(text: string, face: Face): string {
  if (face === 'mono' || face === 'monoBold') return text
  return text
    .replaceAll("'", '’')
    .replaceAll(/(^|[\s(])"/g, '$1“')
    .replaceAll('"', '”')
}
