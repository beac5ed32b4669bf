import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FontFile } from '#site/pages/styles/style-for.ts'
import { type DrawingFiles, installedWasm } from '#site/drawing/drawing-files.ts'
import type { Files } from '../write-files.ts'

// `npm run artwork` makes what needs development packages: the fonts, and the run of the script.
// The results are committed, and a build reads them.

const folder = new URL('../../site/artwork/', import.meta.url)

/** One file of the text font. */
interface FontSource {
  /** Without its ending. */
  readonly name: string
  /** A CSS unicode-range. */
  readonly characters: string
}

/** Every page loads the first file. A browser loads another only for characters in its range. */
export const fontFiles: readonly FontSource[] = [
  {
    name: 'besley',
    characters: 'U+20-7E,U+A0,U+A9,U+D7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026,U+2212',
  },
  { name: 'besley-latin-1', characters: 'U+A1-A8,U+AA-D6,U+D8-FF' },
  { name: 'besley-latin-extended-a', characters: 'U+100-17F' },
]

export function readArtwork(name: string): Buffer {
  return readFileSync(new URL(name, folder))
}

/** The programs that draw, with the template and the fonts of the sources. */
export function drawingFiles(): DrawingFiles {
  return {
    fonts: Object.values(drawingFonts()),
    template: guideTemplate(),
    readWasm: (tool) => readFileSync(installedWasm(tool)),
  }
}

/** The artwork that the server's renderer reads. Its programs come from their own packages. */
export function drawingFilesOfBuild(): Files {
  const fonts = Object.entries(drawingFonts())
  return {
    'setup-guide.typ': guideTemplate(),
    ...Object.fromEntries(fonts.map(([name, font]) => [`fonts/${name}`, font])),
  }
}

function drawingFonts(): Record<string, Buffer> {
  const names = readdirSync(new URL('fonts/', folder))
  return Object.fromEntries(names.map((name) => [name, readArtwork(`fonts/${name}`)]))
}

function guideTemplate(): string {
  return readFileSync(new URL('../../site/guide/setup-guide.typ', import.meta.url), 'utf8')
}

/** Our script, which is given away by default. */
export function ourScript(): Buffer {
  return readFileSync(new URL('../../site/kit/ema-crossover.pine', import.meta.url))
}

/** The files at the site's root that are the same for every site. */
export function rootFiles(): Record<string, Buffer> {
  return {
    'besley-licence.txt': readArtwork('besley-licence.txt'),
    'robots.txt': readFileSync(new URL('robots.txt', import.meta.url)),
    'sitemap.xml': readFileSync(new URL('sitemap.xml', import.meta.url)),
    'webhook-receiver.mjs': readFileSync(
      new URL('../../site/kit/bridges/webhook-receiver.mjs', import.meta.url),
    ),
  }
}

/** The text font, as the site serves it. */
interface TextFonts {
  /** For the style sheets. */
  readonly faces: readonly FontFile[]
  /** Their names change with their contents. */
  readonly files: Files
}

export function textFonts(): TextFonts {
  const files: Files = {}
  const faces = fontFiles.map(({ name, characters }, index) => {
    const bytes = readArtwork(`${name}.woff2`)
    const file = `${name}-${hashOf(bytes)}.woff2`
    files[file] = bytes
    const url = `/assets/${file}`
    // Without a range the first is used for all other characters too.
    return index === 0 ? { url } : { url, characters }
  })
  return { faces, files }
}

/** Short, because file names have it. */
function hashOf(contents: Uint8Array): string {
  return createHash('sha256').update(contents).digest('base64url').slice(0, 8)
}
