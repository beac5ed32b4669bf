import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { styleFor, styleWithoutScript } from '#pages/styles/style-for.ts'

const root = join(import.meta.dirname, '../..')
const sheets = [
  'landing-page/hero',
  'frame/chart',
  'landing-page/closing-call',
  '../../owner/stats/statistics-page',
]

/** The site's own colours, type and frame, and what the page of statistics adds. Everything in it: it asks for no file. */
export function pageStyle(assets = join(root, 'dist/assets')): string {
  return styleFor(sheets, textFace(assets)) + styleWithoutScript
}

/** Of the last build. Before the first one the page makes do with a serif that is there. */
function textFace(assets: string): string | undefined {
  const name = namesIn(assets).find((one) => /^besley-.*\.woff2$/.test(one))
  if (name === undefined) return undefined
  return `data:font/woff2;base64,${readFileSync(join(assets, name), 'base64')}`
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
