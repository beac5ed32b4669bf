import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { defaultContent } from '#content/content.ts'
import { asShown } from '#site/kit/as-shown.ts'
import { givenScriptFile } from '#site/kit/given-files.ts'
import { scriptFile } from '#site/kit/kit-files.ts'
import { printedGuide } from '#site/guide/printed-guide.ts'
import type { FontFile } from '#site/pages/styles/style-for.ts'
import { favicon, icon } from '#site/drawing/mark.ts'
import { shareImage } from '#site/drawing/share-image.ts'
import type { Files } from '../write-files.ts'

// `npm run artwork` draws what needs Typst, a renderer and a tool for fonts. The results are
// committed, so a build only copies them, and compares what they were drawn from with what it has.

const folder = new URL('../../site/artwork/', import.meta.url)

/** One file of the text font. */
interface FontSource {
  /** Without its ending. */
  readonly name: string
  /** A CSS unicode-range. */
  readonly characters: string
}

/** Every page loads the first file. A browser loads another only for characters in its range. */
const fontFiles: readonly FontSource[] = [
  {
    name: 'besley',
    characters: 'U+20-7E,U+A0,U+A9,U+D7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026,U+2212',
  },
  { name: 'besley-latin-1', characters: 'U+A1-A8,U+AA-D6,U+D8-FF' },
  { name: 'besley-latin-extended-a', characters: 'U+100-17F' },
]

/** The sources of the files in app/site/artwork/. */
interface ArtworkSources {
  /** Our script, which is run for the sample run. */
  readonly script: string
  readonly guide: GuideSources
  /** As SVG. */
  readonly 'share image': string
  /** As SVG. */
  readonly icon: string
  readonly fonts: readonly FontSource[]
}

interface GuideSources {
  /** For Typst. */
  readonly template: string
  /** JSON. */
  readonly words: string
  /** The icon on the cover, as SVG. */
  readonly mark: string
}

export function artworkSources(): ArtworkSources {
  return {
    script: readFileSync(new URL(`../../site/kit/${scriptFile}`, import.meta.url), 'utf8'),
    guide: {
      template: guideTemplate(),
      words: printedGuide(defaultContent, asShown(givenScriptFile(defaultContent.kit.script))),
      mark: favicon(defaultContent.palette),
    },
    'share image': shareImage(defaultContent),
    icon: icon(defaultContent.palette.light),
    fonts: fontFiles,
  }
}

/** Compared with the hashes in `drawn-from.json`. */
export function artworkHashes(
  sources: Readonly<Record<string, unknown>> = { ...artworkSources() },
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, hashOf(JSON.stringify(source))]),
  )
}

/** The names of the sources that have changed since they were drawn. */
export function staleArtwork(): string[] {
  const drawn: Record<string, string> = JSON.parse(readArtwork('drawn-from.json').toString())
  return Object.entries(artworkHashes()).flatMap(([name, hash]) =>
    drawn[name] === hash ? [] : [name],
  )
}

/** The template of the guide, and the fonts of all that is drawn. */
export function drawingFiles(): Files {
  const fonts = readdirSync(new URL('fonts/', folder))
  return {
    'setup-guide.typ': guideTemplate(),
    ...Object.fromEntries(fonts.map((name) => [`fonts/${name}`, readArtwork(`fonts/${name}`)])),
  }
}

function guideTemplate(): string {
  return readFileSync(new URL('../../site/guide/setup-guide.typ', import.meta.url), 'utf8')
}

export function readArtwork(name: string): Buffer {
  return readFileSync(new URL(name, folder))
}

/** Short, because file names have it. It also tells if artwork is older than its source. */
function hashOf(contents: string | Uint8Array): string {
  return createHash('sha256').update(contents).digest('base64url').slice(0, 8)
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
    // The first is fetched for everything else too.
    return index === 0 ? { url } : { url, characters }
  })
  return { faces, files }
}
