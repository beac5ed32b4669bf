const softBreak = '=\r\n'
// RFC 2045 6.7: 76 characters, the last of them the "=" of a soft break.
const lineLength = 75
const toEscape = /[^\t\x20-\x3c\x3e-\x7e]|[\t ]$/g

/** Encodes a text, or a piece of one. */
export function quotedPrintable(text: string): string {
  const lines = Buffer.from(text).toString('latin1').split(/\r?\n/)
  return lines.map((line) => breakSoftly(line.replaceAll(toEscape, escapeByte))).join('\r\n')
}

/** Breaks no escape of three characters. */
function breakSoftly(line: string): string {
  return line.length <= lineLength ? line : line.replaceAll(/.{73,75}(?<!=.?)(?=.)/g, `$&${softBreak}`)
}

function escapeByte(byte: string): string {
  return `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/**
 * Encodes a text with {{gaps}} once, to be filled often. Returns the encoded pieces and the names of the gaps in turn.
 * Each gap gets its own line, so that a value makes no line too long and most links stay in one piece.
 */
export function cutAtGaps(text: string): string[] {
  const cut = text.split(/\{\{(\w+)\}\}/)
  return cut.map((piece, place) => {
    if (place % 2) return piece
    const encoded = quotedPrintable(piece)
    const opened = place > 0 && !encoded.startsWith('\r\n') ? softBreak + encoded : encoded
    return place === cut.length - 1 || opened === '' || opened.endsWith('\n') ? opened : opened + softBreak
  })
}

/** `values` are quoted-printable already. A gap without one stays empty. */
export function fillGaps(pieces: readonly string[], values: Readonly<Record<string, string>>): string {
  let filled = ''
  for (const [place, piece] of pieces.entries()) {
    if (place % 2 === 0) filled += piece
    else if (Object.hasOwn(values, piece)) filled += values[piece]
  }
  return filled
}
