import { readFile } from 'node:fs/promises'
import { createTypstCompiler, loadFonts } from '@myriaddreamin/typst.ts'
import * as typst from '@myriaddreamin/typst-ts-web-compiler'
import { ContentError } from '#kit/content-error.ts'
import type { PrintedGuide } from '#kit/guide/printed-guide.ts'
import { readPackageFile, stillFonts } from './fonts.ts'

/** Sets the guide as a PDF. The same template and words make the same bytes. */
export async function typesetGuide({ template, words }: PrintedGuide): Promise<Uint8Array> {
  const fonts = await stillFonts(words)
  // From disk: the package itself would fetch a URL.
  await typst.default({
    module_or_path: await readPackageFile('@myriaddreamin/typst-ts-web-compiler/wasm'),
  })
  const compiler = createTypstCompiler()
  await compiler.init({ beforeBuild: [loadFonts(fonts, { assets: false })] })
  compiler.addSource('/setup-guide.typ', template)
  compiler.mapShadow('/guide.json', new TextEncoder().encode(words))
  compiler.mapShadow(
    '/mark.svg',
    await readFile(new URL('../../app/build/share/favicon.svg', import.meta.url)),
  )
  const { result, diagnostics } = await compiler.compile({
    mainFilePath: '/setup-guide.typ',
    format: 1,
    diagnostics: 'full',
  })
  if (result) return withTitleInWindow(result)
  throw typstError(diagnostics?.map((diagnostic) => diagnostic.message) ?? [])
}

/**
 * Viewers show the document's title instead of the file name. Typst's WebAssembly has no option for
 * it.
 */
function withTitleInWindow(pdf: Uint8Array): Uint8Array {
  const bytes = Buffer.from(pdf).toString('latin1')
  const preferences = '/ViewerPreferences <<\n    /Direction /L2R\n  >>'
  if (!bytes.includes(preferences)) {
    throw new Error('The viewer preferences of the PDF have another form')
  }
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
