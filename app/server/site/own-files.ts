import { pngSize } from '#site/png-size.ts'
import { ContentError } from '#site/kit/content-error.ts'
import { scriptRelease } from '#site/kit/kit-files.ts'
import type { FileKind, OwnFile, OwnFiles } from '#site/source.ts'
import type { Finding } from '#site/words/finding.ts'

const kB = 1_000
const MB = 1_000 * kB
const maxBytes: Readonly<Record<FileKind, number>> = {
  script: 256 * kB,
  guide: 10 * MB,
  sharePicture: 2 * MB,
  chart: 1 * MB,
  icon: 1 * MB,
}

/** The faults of the owner's files, by their kind. */
export function checkFiles(files: OwnFiles): Finding[] {
  return Object.entries(files).flatMap(([kind, file]) => {
    const message = fileFault(kind as FileKind, file)
    return message === undefined ? [] : [{ path: kind, message, kind: 'fault' as const }]
  })
}

/** The fault of a file of the owner's, in words. Undefined: it has none. */
export function fileFault(kind: FileKind, { name, bytes }: OwnFile): string | undefined {
  if (bytes.length === 0) return 'It is empty.'
  if (bytes.length > maxBytes[kind]) {
    return `It has ${inWords(bytes.length)}; ${inWords(maxBytes[kind])} is the most.`
  }
  if (kind === 'script') return scriptFault(name, bytes)
  if (kind === 'guide') return isPdf(bytes) ? undefined : 'This is not a PDF.'
  return pictureFault(kind, bytes)
}

/** The media type of a picture by its first bytes. Undefined: it is none that we take. */
export function pictureType(bytes: Uint8Array): 'image/png' | 'image/svg+xml' | undefined {
  if (Buffer.from(bytes.subarray(0, 8)).toString('hex') === '89504e470d0a1a0a') return 'image/png'
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<svg[\s>]/.test(textOf(bytes) ?? '')
    ? 'image/svg+xml'
    : undefined
}

/** Returns undefined if the script has no version line. */
export function versionLine(bytes: Uint8Array): { version: string; date: string } | undefined {
  try {
    return scriptRelease(textOf(bytes) ?? '')
  } catch (fault) {
    if (fault instanceof ContentError) return undefined
    throw fault
  }
}

/** The script with the line that tells its version, below the line that tells Pine's. */
export function withVersionLine(
  bytes: Uint8Array,
  { version, date }: { version: string; date: string },
): Uint8Array {
  const text = textOf(bytes) ?? ''
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const line = `// Version ${version}, ${date}${lineEnd}`
  const [pine = ''] = /^(?:\uFEFF)?\/\/@version=.*\r?\n/.exec(text) ?? []
  return new TextEncoder().encode(pine + line + text.slice(pine.length))
}

function scriptFault(name: string, bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return 'It is UTF-16. Save it as UTF-8.'
  }
  const text = textOf(bytes)
  if (text === undefined) return 'It is not UTF-8. Save it as UTF-8.'
  if (text.includes('\0')) return 'This is not text. A script is a .pine file in UTF-8.'
  if (!name.toLowerCase().endsWith('.pine')) return 'A script is a file whose name ends in .pine.'
  if (!/^(?:strategy|indicator|library)\s*\(/m.test(text)) {
    return 'The script has no strategy() or indicator() call.'
  }
  return versionLine(bytes) ? undefined : 'No version line was found.'
}

function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')
}

function pictureFault(kind: FileKind, bytes: Uint8Array): string | undefined {
  const type = pictureType(bytes)
  if (kind === 'sharePicture' && type !== 'image/png') return 'This is not a PNG.'
  if (type === undefined) return 'This is neither a PNG nor an SVG.'
  if (type === 'image/svg+xml') return svgFault(textOf(bytes) ?? '')
  const { width, height } = pngSize(bytes)
  if (kind === 'sharePicture' && (width !== 1200 || height !== 630)) {
    return `It is ${width} × ${height}; it must be 1200 × 630.`
  }
  if (kind === 'icon' && (width !== height || width < 192)) {
    return `It is ${width} × ${height}; an icon is square, and 192 at least.`
  }
  const isLarge = width * height > 16_000_000
  return isLarge ? `It is ${width} × ${height}; that is too large to be shown.` : undefined
}

/** Nothing in it may run, or fetch something from elsewhere. */
function svgFault(text: string): string | undefined {
  if (/<\s*(?:script|foreignObject|iframe|embed|object|handler|listener)\b/i.test(text)) {
    return 'The SVG contains a script or a web page. Save it as a plain SVG.'
  }
  if (/\son\w+\s*=|javascript:/i.test(text)) {
    return 'The SVG contains a script. Save it as a plain SVG.'
  }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    return 'The SVG has a document type. Save it as a plain SVG.'
  }
  const fetches =
    /(?:href|src)\s*=\s*["'](?!#|data:image\/(?:png|jpeg);)|url\(\s*["']?(?!#)|@import/i
  return fetches.test(text)
    ? 'The SVG uses something from another file. Save it with everything embedded.'
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
