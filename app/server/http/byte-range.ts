export interface ByteRange {
  first: number
  last: number
}

/**
 * The one range of bytes that a Range header asks for (RFC 9110 14.1.2). Undefined, for the whole file: no header, another
 * unit, a fault in it, or several ranges, which a server is free to ignore.
 */
export function readByteRange(
  header: string | undefined,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') return undefined
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined
  return first > last ? 'unsatisfiable' : { first, last }
}
