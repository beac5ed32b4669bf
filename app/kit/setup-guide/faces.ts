import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Face } from './drawing.ts'
import { unpackWoff } from './unpack-woff.ts'

/** pdfkit reads .woff, not .woff2. */
const files: Record<Face, string> = {
  text: '@fontsource/besley/files/besley-latin-400-normal.woff',
  medium: '@fontsource/besley/files/besley-latin-500-normal.woff',
  strong: '@fontsource/besley/files/besley-latin-600-normal.woff',
  mono: '@fontsource/cousine/files/cousine-latin-400-normal.woff',
  monoBold: '@fontsource/cousine/files/cousine-latin-700-normal.woff',
}

/** Makes the five faces known to the document; only the letters used are embedded. */
export function registerFaces(doc: PDFKit.PDFDocument): void {
  const { resolve } = createRequire(import.meta.url)
  for (const [face, file] of Object.entries(files)) {
    doc.registerFont(face, unpackWoff(readFileSync(resolve(file))))
  }
}
