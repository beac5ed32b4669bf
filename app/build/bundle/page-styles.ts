import { Features, transform } from 'lightningcss'
import { pageModules } from '#site/pages/page-table.ts'
import type { StyleAssets } from '#site/pages/styles/style-for.ts'
import { bundleInMemory, contentsOf } from './in-memory.ts'

/** The browsers that Vite's target of ES2022 names. */
const targets = { chrome: 94 << 16, firefox: 93 << 16, safari: (15 << 16) | (4 << 8) }
/** The replacement for light-dark(), which the pages do not use. */
const exclude = Features.LightDark

/** The style sheets that the component of each kind of page imports, minified, in their order. */
export async function bundlePageStyles(root: string): Promise<StyleAssets['styles']> {
  const styles = await Promise.all(
    Object.entries(pageModules).map(async ([name, { component }]) => [
      name,
      minified(await importedSheets(root, component)),
    ]),
  )
  return Object.fromEntries(styles) as StyleAssets['styles'] // the names of the kinds
}

async function importedSheets(root: string, component: string): Promise<string> {
  const output = await bundleInMemory({
    root,
    build: {
      cssCodeSplit: false, // makes one sheet of all
      cssMinify: false,
      rolldownOptions: {
        input: component,
        // Else a module that exports nothing is dropped with its sheets.
        preserveEntrySignatures: 'strict',
        external: /^(?!\.|\/|#site\/|app\/)/, // components alone import sheets
      },
    },
  })
  const sheet = output.find((file) => file.fileName.endsWith('.css'))
  if (!sheet) throw new Error(`${component} imports no style sheet`)
  return contentsOf(sheet).toString()
}

function minified(css: string): string {
  const code = Buffer.from(css)
  return transform({ filename: 'page.css', code, minify: true, targets, exclude }).code.toString()
}
