import { createTypstCompiler, loadFonts, type TypstCompiler } from '@myriaddreamin/typst.ts'
import * as typst from '@myriaddreamin/typst-ts-web-compiler'
import { ContentError } from '#site/kit/content-error.ts'
import type { DrawingFiles } from './drawing-files.ts'

/** Sets guides as PDF. */
export interface Typesetter {
  /**
   * `words`: of printed-guide.ts. `mark`: SVG. The same words make the same bytes. Throws a
   * ContentError if the words do not fit.
   */
  typeset(words: string, mark: string): Promise<Uint8Array>
}

/** The compiler is loaded with the first guide, and kept: that takes most of the time. */
export function createTypesetter(files: DrawingFiles): Typesetter {
  let loading: Promise<TypstCompiler> | undefined
  return {
    async typeset(words, mark) {
      const compiler = await (loading ??= loadCompiler(files))
      compiler.addSource('/setup-guide.typ', files.template)
      compiler.mapShadow('/guide.json', new TextEncoder().encode(words))
      compiler.mapShadow('/mark.svg', new TextEncoder().encode(mark))
      const { result, diagnostics } = await compiler.compile({
        mainFilePath: '/setup-guide.typ',
        format: 1,
        diagnostics: 'full',
      })
      if (result) return withTitleInWindow(result)
      throw typstError(diagnostics?.map((diagnostic) => diagnostic.message) ?? [])
    },
  }
}

async function loadCompiler({ fonts, readWasm }: DrawingFiles): Promise<TypstCompiler> {
  // From disk: the package itself would fetch a URL.
  await typst.default({ module_or_path: readWasm('typst') })
  const compiler = createTypstCompiler()
  await compiler.init({ beforeBuild: [loadFonts([...fonts], { assets: false })] })
  return compiler
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
