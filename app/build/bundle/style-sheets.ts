import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Features, transform } from 'lightningcss'

/** The browsers that Vite's target of ES2022 names. */
const targets = { chrome: 94 << 16, firefox: 93 << 16, safari: (15 << 16) | (4 << 8) }
/** It is for the function light-dark(), which the pages do not use. */
const exclude = Features.LightDark

/** The style sheets of the pages, minified, by their paths below app/pages/ without the ending. */
export function styleSheets(root: string): Record<string, string> {
  const folder = join(root, 'app/pages')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sheets = files.filter((file) => file.endsWith('.css')).map((file) => [nameOf(file), file])
  return Object.fromEntries(
    sheets.map(([name = '', file = '']) => [name, minified(readFileSync(join(folder, file)))]),
  )
}

function nameOf(file: string): string {
  return file.replaceAll('\\', '/').replace(/\.css$/, '')
}

function minified(css: Uint8Array): string {
  return transform({
    filename: 'page.css',
    code: css,
    minify: true,
    targets,
    exclude,
  }).code.toString()
}
