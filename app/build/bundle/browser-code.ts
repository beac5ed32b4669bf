import { basename, join } from 'node:path'
import type { Plugin } from 'vite'
import type { PageAssets } from '#site/pages/page-assets.ts'
import { pageModules } from '#site/pages/page-table.ts'
import { bundleInMemory, contentsOf } from './in-memory.ts'
import type { Files } from '../write-files.ts'

// From a separate file React is parsed in a separate task: docs/decisions/0011.
const codeSplitting = {
  groups: [{ name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ }],
}

/** The code of all pages. */
export interface BrowserCode {
  /** The source of the script that is inline in every page. */
  readonly startScript: string
  /**
   * The addresses that a page loads at its start: its script first, then the chunk of React that it
   * imports.
   */
  readonly modules: PageAssets['modules']
  readonly files: Readonly<Record<string, string>>
}

export async function bundleBrowserCode(root: string): Promise<BrowserCode> {
  const bundled = await Promise.all(
    // They share no file, so that a page loads nothing of another.
    Object.entries(pageModules).map(async ([name, { script }]) => ({
      name,
      ...(await bundleEntry(root, script)),
    })),
  )
  const modules = Object.fromEntries<readonly string[]>(
    bundled.map(({ name, modules: urls }) => [name, urls]),
  )
  return {
    startScript: await bundleStartScript(root),
    modules: modules as PageAssets['modules'], // the names of the kinds
    files: Object.fromEntries(bundled.flatMap(({ files }) => Object.entries(files))),
  }
}

/** Minified, as a classic script; it is the same text whatever the modules contain. */
export async function bundleStartScript(root: string): Promise<string> {
  const rolldownOptions = {
    input: 'app/site/pages/browser/start-page.ts',
    output: { format: 'iife' },
  } as const
  const [entry] = await bundleInMemory({ root, build: { rolldownOptions } })
  return entry.code.trim()
}

async function bundleEntry(root: string, input: string) {
  const output = await bundleInMemory({
    root,
    plugins: [plainImports],
    build: {
      rolldownOptions: {
        input,
        preserveEntrySignatures: 'allow-extension',
        output: { codeSplitting },
      },
    },
  })
  const [entry] = output
  // The pages have their style sheets inline: page-styles.ts.
  const code = output.filter((file) => file.type === 'chunk')
  return {
    modules: [entry.fileName, ...entry.imports].map((file) => `/${file}`),
    files: Object.fromEntries(code.map((file) => [basename(file.fileName), file.code])),
  }
}

/**
 * Vite's own helper first loads the style sheets and imports of a module. Those of our modules are
 * always there already.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id.startsWith('\0vite/preload-helper')
      ? 'export const __vitePreload = (load) => load()'
      : undefined,
}

interface DeskBundle {
  readonly html: string
  /** Code, styles and licences, by the names of their files. */
  readonly assets: Files
}

/**
 * Bundles the owner's desk. It shares no file with the pages of visitors. `style`: goes into its
 * head.
 */
export async function bundleDesk(root: string, style: string): Promise<DeskBundle> {
  const output = await bundleInMemory({
    root,
    base: '/desk/',
    plugins: [textElements(root)],
    build: {
      license: { fileName: 'assets/licences.txt' },
      rolldownOptions: { input: join(root, 'owner/start/views/index.html') },
    },
  })
  const files: Files = Object.fromEntries(
    output.map((file) => [basename(file.fileName), contentsOf(file)]),
  )
  const { 'index.html': html = '', ...assets } = files
  return { html: String(html).replace('<style></style>', () => `<style>${style}</style>`), assets }
}

/** The desk makes its elements by the function in text-elements.ts, which says why. */
function textElements(root: string): Plugin {
  const path = 'owner/desk/views/parts/text-elements.ts'
  return {
    name: 'text-elements',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id === 'react/jsx-runtime' && !importer?.endsWith(path) ? join(root, path) : undefined,
  }
}
