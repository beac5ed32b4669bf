export const marks = ['Bold', 'Italics', 'List'] as const
export type Mark = (typeof marks)[number]

export interface MarkedText {
  text: string
  selectionStart: number
  selectionEnd: number
}

/** Writes Markdown around what is selected, and selects the words again. */
export function applyMark(mark: Mark, before: MarkedText): MarkedText {
  switch (mark) {
    case 'Bold':
      return surround(before, '**', '**')
    case 'Italics':
      return surround(before, '*', '*')
    case 'List':
      return list(before)
    default:
      return mark satisfies never
  }
}

function surround(
  { text, selectionStart, selectionEnd }: MarkedText,
  open: string,
  close: string,
): MarkedText {
  const words = text.slice(selectionStart, selectionEnd) || 'words'
  const start = selectionStart + open.length
  return {
    text: text.slice(0, selectionStart) + open + words + close + text.slice(selectionEnd),
    selectionStart: start,
    selectionEnd: start + words.length,
  }
}

/** `words`: shown in place of the address. */
export function insertLink(
  { words, address }: { words: string; address: string },
  { text, selectionStart, selectionEnd }: MarkedText,
): MarkedText {
  const link = `[${words.replaceAll(/[[\]]/g, '\\$&')}](${address})`
  const end = selectionStart + link.length
  return {
    text: text.slice(0, selectionStart) + link + text.slice(selectionEnd),
    selectionStart: end,
    selectionEnd: end,
  }
}

/** On lines of its own. The selection is where its description is written. */
export function insertPicture(path: string, before: MarkedText): MarkedText {
  const { text, selectionEnd } = before
  const start = `${text.slice(0, selectionEnd).trimEnd()}\n\n![`.trimStart()
  return {
    text: `${start}](${path})\n\n${text.slice(selectionEnd).trimStart()}`,
    selectionStart: start.length,
    selectionEnd: start.length,
  }
}

/** Each line of the selection becomes an entry. */
function list({ text, selectionStart, selectionEnd }: MarkedText): MarkedText {
  const from = text.lastIndexOf('\n', selectionStart - 1) + 1
  const lineEnd = text.indexOf('\n', selectionEnd)
  const to = lineEnd === -1 ? text.length : lineEnd
  const entries = text.slice(from, to).replaceAll(/^/gm, '- ')
  return {
    text: text.slice(0, from) + entries + text.slice(to),
    selectionStart: from,
    selectionEnd: from + entries.length,
  }
}
