import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createTypstCompiler, loadFonts } from '@myriaddreamin/typst.ts'
import * as typst from '@myriaddreamin/typst-ts-web-compiler'
import subsetFont from 'subset-font'
import { brand } from '#content/brand.ts'
import { light, type Palette } from '#content/palette.ts'
import { setupGuide } from '#content/setup-guide.ts'
import { ContentError } from '../content-error.ts'
import { guideContent, type GuideContent } from './guide-content.ts'
import type { Picture } from './pictures.ts'

/** The setup guide as a PDF. The same script and words make the same bytes. */
export async function guideAsPdf(content: GuideContent = guideContent()): Promise<Uint8Array> {
  const json = JSON.stringify({ ...setupGuide, ...printed(content), palette })
  const [template, fonts] = await Promise.all([
    readFile(new URL('setup-guide.typ', import.meta.url), 'utf8'),
    Promise.all(faces.map((face) => fontFor(face, json))),
    loadTypst(),
  ])
  const compiler = createTypstCompiler()
  await compiler.init({ beforeBuild: [loadFonts(fonts, { assets: false })] })
  compiler.addSource('/setup-guide.typ', template)
  compiler.mapShadow('/guide.json', new TextEncoder().encode(json))
  const { result, diagnostics } = await compiler.compile({
    mainFilePath: '/setup-guide.typ',
    format: 1,
    diagnostics: 'full',
  })
  if (result) return withTitleInWindow(result)
  throw typstError(diagnostics?.map((diagnostic) => diagnostic.message) ?? [])
}

/** On white, since a guide is printed. */
const palette: Palette = { ...light, paper: '#ffffff' }

function printed(content: GuideContent) {
  const { cover, steps, version } = content
  return {
    ...content,
    brand: brand.name,
    language: brand.language,
    cover: cover && printedPicture(cover),
    steps: steps.map((step) => ({ ...step, picture: step.picture && printedPicture(step.picture) })),
    // The template reads the words of the page and its rows from one value.
    inputs: { ...setupGuide.inputs, ...content.inputs },
    documentTitle: `${brand.name}: ${setupGuide.title}, version ${version}`,
    edition: `Version ${version}, ${content.date}. ${setupGuide.edition}`,
  }
}

/** Outside a page custom properties have no values. */
function printedPicture({ name, svg, description }: Picture): Picture {
  const values: Record<string, string> = { ...palette, mono: 'Cousine', text: 'Besley' }
  const painted = svg
    .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" font-family="Besley" ')
    // Without this margin a frame at the edge would be cut to half its width.
    .replace(/viewBox="0 0 (\S+) (\S+)"/, (_, width, height) => {
      return `viewBox="-0.5 -0.5 ${Number(width) + 1} ${Number(height) + 1}"`
    })
    // Typst paints each letter with its edge, which covers the letter before. So the letters are drawn again on top.
    .replaceAll(/<(g|text)( [^>]*paint-order[^>]*)>(.*?)<\/\1>/g, (whole, tag, look: string, letters) => {
      const edge = whole.replace(/ fill="[^"]*"/, ' fill="var(--paper)"')
      return `${edge}<${tag}${look.replaceAll(/ (?:stroke[\w-]*|paint-order)="[^"]*"/g, '')}>${letters}</${tag}>`
    })
    .replaceAll(/var\(--(\w+)\)/g, (_, token: string) => values[token] ?? token)
  return { name, svg: painted, description }
}

const faces = [
  'besley-latin-400',
  'besley-latin-500',
  'besley-latin-600',
  'cousine-latin-400',
  'cousine-latin-700',
]

/** Typst reads no WOFF2. */
async function fontFor(face: string, text: string): Promise<Buffer> {
  const [family] = face.split('-')
  const woff2 = await readPackageFile(`@fontsource/${family}/files/${face}-normal.woff2`)
  const letters = `${text}’“”abcdefghijklmnopqrstuvwxyz0123456789`
  return subsetFont(woff2, letters, { targetFormat: 'sfnt' })
}

/** Loads the module from disk, once per process. The package itself would fetch a URL. */
async function loadTypst(): Promise<void> {
  const module = await readPackageFile('@myriaddreamin/typst-ts-web-compiler/wasm')
  await typst.default({ module_or_path: module })
}

/** Viewers show the document's title instead of the file name. Typst's WebAssembly has no option for it. */
function withTitleInWindow(pdf: Uint8Array): Uint8Array {
  const bytes = Buffer.from(pdf).toString('latin1')
  const preferences = '/ViewerPreferences <<\n    /Direction /L2R\n  >>'
  if (!bytes.includes(preferences)) throw new Error('The viewer preferences of the PDF have another form')
  // The replacement has the same length, because a table holds the offsets of the objects after it.
  const titled = '/ViewerPreferences <</DisplayDocTitle true>>'.padEnd(preferences.length)
  return Buffer.from(bytes.replace(preferences, titled), 'latin1')
}

/** The template panics with a sentence for the owner if words do not fit a page. */
function typstError(messages: readonly string[]): Error {
  const [, sentence] = /panicked with: "(.+)"$/.exec(messages[0] ?? '') ?? []
  if (sentence) return new ContentError(sentence.replaceAll('\\"', '"'))
  return new Error(`Typst could not set the guide: ${messages.join('; ')}`)
}

function readPackageFile(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(import.meta.resolve(name)))
}
