/**
 * Returns the TrueType font with each character shown by the glyph given for it, and no other character.
 * Table checksums stay as they were: the subsetting that follows writes them again.
 */
export function withCharacterMap(font: Buffer, characters: string, standIn: Record<string, string>): Buffer {
  const glyphs = Array.from(characters)
    .toSorted()
    .map((character) => ({
      code: codeOf(character),
      glyph: glyphOf(font, codeOf(standIn[character] ?? character)),
    }))
  const table = characterTable(glyphs)
  const entry = tableEntry(font, 'cmap')
  const copy = Buffer.concat([font, Buffer.alloc(-font.length & 3), table])
  copy.writeUInt32BE(copy.length - table.length, entry + 8)
  copy.writeUInt32BE(table.length, entry + 12)
  return copy
}

/** The glyph number of a character; 0, the empty box, for one the font lacks. */
export function glyphOf(font: Buffer, code: number): number {
  const map = segmentMap(font)
  const segments = map.readUInt16BE(6) / 2
  const column = (index: number, segment: number) =>
    14 + 2 * segments * index + (index > 0 ? 2 : 0) + 2 * segment
  for (let segment = 0; segment < segments; segment++) {
    if (code > map.readUInt16BE(column(0, segment))) continue
    const first = map.readUInt16BE(column(1, segment))
    if (code < first) return 0
    const delta = map.readUInt16BE(column(2, segment))
    const rangeAt = column(3, segment)
    const range = map.readUInt16BE(rangeAt)
    const glyph = range === 0 ? code : map.readUInt16BE(rangeAt + range + 2 * (code - first))
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
  return 0
}

/** The font's cmap subtable of format 4, which every font of Latin letters has. */
function segmentMap(font: Buffer): Buffer {
  const table = font.subarray(font.readUInt32BE(tableEntry(font, 'cmap') + 8))
  for (let index = 0; index < table.readUInt16BE(2); index++) {
    const subtable = table.subarray(table.readUInt32BE(4 + 8 * index + 4))
    if (subtable.readUInt16BE(0) === 4) return subtable
  }
  throw new Error('The font has no cmap of format 4')
}

/** A cmap with one segment for each character: long, but simple. */
function characterTable(glyphs: { code: number; glyph: number }[]): Buffer {
  const segments = [...glyphs, { code: 0xffff, glyph: 0 }]
  const codes = segments.map(({ code }) => code)
  const deltas = segments.map(({ code, glyph }) => (glyph - code) & 0xffff)
  const noRanges = segments.map(() => 0)
  const searchRange = 2 ** (1 + Math.floor(Math.log2(segments.length)))
  const search = [searchRange, Math.log2(searchRange) - 1, 2 * segments.length - searchRange]
  const length = 16 + 8 * segments.length
  const format4 = [
    4,
    length,
    0,
    2 * segments.length,
    ...search,
    ...codes,
    0,
    ...codes,
    ...deltas,
    ...noRanges,
  ]
  const oneSubtableForWindowsUnicode = [0, 1, 3, 1, 0, 12]
  const words = [...oneSubtableForWindowsUnicode, ...format4]
  const table = Buffer.alloc(2 * words.length)
  words.forEach((word, index) => table.writeUInt16BE(word, 2 * index))
  return table
}

function tableEntry(font: Buffer, tag: string): number {
  for (let entry = 12; entry < 12 + 16 * font.readUInt16BE(4); entry += 16)
    if (font.toString('latin1', entry, entry + 4) === tag) return entry
  throw new Error(`The font has no table ${tag}`)
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
