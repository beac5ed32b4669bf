import { readFileSync } from 'node:fs'
import { drawingFiles } from '#build/share/artwork.ts'
import { type DrawingFiles, installedWasm } from '#site/drawing/drawing-files.ts'

/** The tools that draw, with the template and the fonts of the sources. */
export function artworkTools(): DrawingFiles {
  const { 'setup-guide.typ': template = '', ...fonts } = drawingFiles()
  return {
    template: String(template),
    fonts: Object.values(fonts).map((font) => Buffer.from(font)),
    readWasm: (tool) => readFileSync(installedWasm(tool)),
  }
}
