import { fileKinds, type FileKind, type OwnFile, type OwnFiles } from '../source.ts'
import { isDay } from '../text/day-in-words.ts'
import type { Finding } from '../words/finding.ts'
import { readRaster, rasterType } from './raster.ts'
import { readSvg, type Svg } from './svg.ts'

const kB = 1_000
const MB = 1_000 * kB
const maxBytes: Readonly<Record<FileKind, number>> = {
  script: 256 * kB,
  guide: 10 * MB,
  sharePicture: 2 * MB,
  chart: 1 * MB,
  chartDark: 1 * MB,
  chartPhone: 1 * MB,
  portrait: 1 * MB,
  icon: 1 * MB,
}

/** The owner's files as they are kept, and what is wrong with the others. */
export interface ReadFiles {
  readonly files: OwnFiles
  /** Their paths are the kinds of the files. */
  readonly faults: readonly Finding[]
}

export function readOwnFiles(given: OwnFiles): ReadFiles {
  const files: Partial<Record<FileKind, OwnFile>> = {}
  const faults: Finding[] = []
  for (const kind of fileKinds) {
    const file = given[kind]
    if (!file) continue
    const read = readOwnFile(kind, file)
    if (read.kind === 'file') files[kind] = read.file
    else faults.push({ path: kind, message: read.message, kind: 'fault' })
  }
  return { files, faults }
}

type ReadFile =
  | { readonly kind: 'file'; readonly file: OwnFile }
  /** `message`: a sentence for the owner. */
  | { readonly kind: 'refused'; readonly message: string }

/** Reads one file. The first look is at its length: what follows takes time with each byte. */
function readOwnFile(kind: FileKind, given: OwnFile): ReadFile {
  const { name, bytes } = given
  if (bytes.length === 0) return refused('It is empty.')
  if (bytes.length > maxBytes[kind]) {
    return refused(`It has ${inWords(bytes.length)}; ${inWords(maxBytes[kind])} is the most.`)
  }
  switch (kind) {
    case 'script': {
      const message = scriptFault(name, bytes)
      return message === undefined ? taken(given, 'text/plain; charset=utf-8') : refused(message)
    }
    case 'guide':
      return isPdf(bytes) ? taken(given, 'application/pdf') : refused('This is not a PDF.')
    default:
      return readPicture(kind, given)
  }
}

function taken(file: OwnFile, mediaType: string, bytes = file.bytes): ReadFile {
  return { kind: 'file', file: { name: file.name, mediaType, bytes } }
}

function refused(message: string): ReadFile {
  return { kind: 'refused', message }
}

/** For private use. Rendering marks the places of its values with two of them. */
const privateUse = /\p{Co}/u

function scriptFault(name: string, bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return 'It is UTF-16. Save it as UTF-8.'
  }
  const text = textOf(bytes)
  if (text === undefined) return 'It is not UTF-8. Save it as UTF-8.'
  if (text.includes('\0')) return 'This is not text. A script is a .pine file in UTF-8.'
  const [marked] = privateUse.exec(text) ?? []
  if (marked) {
    return `It has a character for private use (${codeOf(marked)}), which nobody sees. Remove it.`
  }
  if (!/\.(?:pine|pinescript|txt)$/i.test(name)) {
    return 'A script is a file whose name ends in .pine.'
  }
  const [, day = ''] = /^\/\/ Version \d+\.\d+\.\d+, (\d{4}-\d{2}-\d{2})/m.exec(text) ?? []
  if (day !== '' && !isDay(day)) {
    return `Its version line names ${day}: there is no such day.`
  }
  return kindFault(text)
}

/** Only a strategy or an indicator can be put on a chart. */
function kindFault(script: string): string | undefined {
  if (/^(?:strategy|indicator)\s*\(/m.test(script)) return undefined
  if (/^study\s*\(/m.test(script)) {
    return 'It is in an old version of Pine: study() is called indicator() now. Convert it at TradingView.'
  }
  if (/^library\s*\(/m.test(script)) {
    return 'It is a library, which other scripts use. Give away a strategy or an indicator.'
  }
  return 'The script has no strategy() or indicator() call.'
}

function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase()}`
}

const maxPixels = 16_000_000
const smallestIcon = 192
/** An icon is drawn whole, whatever size it is shown in. */
const largestIcon = 2048
/** How many times longer than wide, or wider than long. */
const maxRatio = 20

function readPicture(kind: Exclude<FileKind, 'script' | 'guide'>, given: OwnFile): ReadFile {
  const { bytes } = given
  if (rasterType(bytes) === 'image/png') {
    const picture = readRaster(bytes)
    if (!picture) return refused('The PNG is damaged or cut off. Save it again.')
    const message = sizeFault(kind, picture)
    return message === undefined ? taken(given, 'image/png', picture.bytes) : refused(message)
  }
  if (kind === 'sharePicture' || kind === 'portrait') return refused('This is not a PNG.')
  const text = textOf(bytes)
  if (text === undefined && hasSvgTag(bytes)) return refused('It is not UTF-8. Save it as UTF-8.')
  const svg = readSvg(text ?? '')
  if (!svg) return refused('This is neither a PNG nor an SVG.')
  if (svg.kind === 'refused') return refused(svg.message)
  const message = shapeFault(kind, svg.size)
  return message === undefined ? taken(given, 'image/svg+xml') : refused(message)
}

/** In any encoding: UTF-16 puts a zero beside each letter. */
function hasSvgTag(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.filter((byte) => byte !== 0)).includes('<svg')
}

function sizeFault(kind: FileKind, size: { width: number; height: number }): string | undefined {
  const { width, height } = size
  if (kind === 'sharePicture' && (width !== 1200 || height !== 630)) {
    return `It is ${width} × ${height}; it must be 1200 × 630.`
  }
  if (kind === 'icon' && (width !== height || width < smallestIcon || width > largestIcon)) {
    return `It is ${width} × ${height}; an icon is square, ${smallestIcon} at least and ${largestIcon} at most.`
  }
  if (width * height > maxPixels) {
    return `It is ${width} × ${height}; that is too large to be shown.`
  }
  return shapeFault(kind, size)
}

function shapeFault(kind: FileKind, size: Svg['size']): string | undefined {
  if (!size) return undefined
  const { width, height } = size
  // Programs that draw round to a hundredth or so.
  if (kind === 'icon' && Math.abs(width / height - 1) > 0.02) {
    return `It is ${width} × ${height}; an icon is square.`
  }
  return Math.max(width / height, height / width) > maxRatio
    ? `It is ${width} × ${height}; that is too long to be shown.`
    : undefined
}

/** Returns undefined if it is not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function inWords(bytes: number): string {
  return bytes < MB
    ? `${Math.round(bytes / kB)} kB`
    : `${(bytes / MB).toFixed(1).replace('.0', '')} MB`
}
