/**
 * Changes the TrueType font so that `character` is drawn as `standIn`. The checksums are left
 * wrong: the subsetting that follows writes new ones.
 */
export function drawAs(font: Buffer, character: string, standIn: string): void {
  const { table, record, map } = segmentMap(font)
  const { place } = findGlyph(map, character)
  if (place === undefined) throw new Error(`The font has no entry for ${character} alone`)
  map.writeUInt16BE(findGlyph(map, standIn).glyph, place)
  // The other records would only make the font larger.
  table.copy(table, 4, record, record + 8)
  table.writeUInt16BE(1, 2)
}

/**
 * The font's cmap, its last record (the one that Windows and browsers use), and the subtable that
 * the record names.
 */
function segmentMap(font: Buffer): { table: Buffer; record: number; map: Buffer } {
  const table = font.subarray(tableOffset(font, 'cmap'))
  const record = 4 + 8 * (table.readUInt16BE(2) - 1)
  const map = table.subarray(table.readUInt32BE(record + 4))
  if (map.readUInt16BE(0) !== 4) throw new Error('The font has no cmap of format 4')
  return { table, record, map }
}

/** `place`: where the number stands, if the character has an entry of its own. */
function findGlyph(map: Buffer, character: string): { glyph: number; place?: number } {
  const code = character.codePointAt(0) ?? 0
  const columnBytes = map.readUInt16BE(6)
  let end = 14
  while (map.readUInt16BE(end) < code) end += 2
  const start = end + columnBytes + 2
  const delta = start + columnBytes
  const range = delta + columnBytes
  const offset = code - map.readUInt16BE(start)
  if (offset < 0) return { glyph: 0 }
  const toEntries = map.readUInt16BE(range)
  if (toEntries === 0) return { glyph: (code + map.readUInt16BE(delta)) & 0xffff }
  const place = range + toEntries + 2 * offset
  return { glyph: map.readUInt16BE(place), place }
}

function tableOffset(font: Buffer, tag: string): number {
  for (let entry = 12; entry < 12 + 16 * font.readUInt16BE(4); entry += 16) {
    if (font.toString('latin1', entry, entry + 4) === tag) return font.readUInt32BE(entry + 8)
  }
  throw new Error(`The font has no table ${tag}`)
}
