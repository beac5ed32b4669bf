import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fontFaces } from '#pages/styles/font-faces.ts'
import { minifyCss } from '#pages/styles/minify-css.ts'

const root = join(import.meta.dirname, '../..')
const sheets = [
  'app/pages/styles/tokens',
  'app/pages/styles/base',
  'app/pages/frame/frame',
  'app/pages/frame/footer',
  'app/pages/landing-page/hero',
  'app/pages/landing-page/chart',
  'app/pages/landing-page/closing-call',
  'owner/stats/statistics-page',
]

/** The site's own colours, type and frame, and what the page of statistics adds. Everything in it: it asks for no file. */
export function pageStyle(assets = join(root, 'dist/assets')): string {
  const css = sheets.map((sheet) => readFileSync(join(root, `${sheet}.css`), 'utf8'))
  return minifyCss([...textFace(assets), ...css].join('\n'))
}

/** Of the last build. Before the first one the page makes do with a serif that is there. */
function textFace(assets: string): string[] {
  const name = namesIn(assets).find((one) => /^besley-.*\.woff2$/.test(one))
  if (name === undefined) return []
  return [fontFaces(`data:font/woff2;base64,${readFileSync(join(assets, name), 'base64')}`)]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
