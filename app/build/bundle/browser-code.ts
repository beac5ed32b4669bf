import { basename, join } from 'node:path'
import { bundleInMemory, contentsOf } from './in-memory.ts'
import type { Files } from '../write-files.ts'

// From a separate file React is parsed in a separate task: docs/decisions/0011.
const codeSplitting = {
  groups: [{ name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ }],
}

/** They share no file, so that a page loads nothing of another. */
const entries = {
  'hydrate-page': 'app/pages/browser/hydrate-page.tsx',
  'personal-page': 'app/pages/browser/personal-page.ts',
  'not-found': 'app/pages/browser/not-found.ts',
  'small-page': 'app/pages/browser/small-page.ts',
}

/**
 * `modules`: addresses of what a page loads for an entry: the entry first, then the chunk of React
 * it imports.
 */
export async function bundleBrowserCode(root: string) {
  const bundled = await Promise.all(
    Object.entries(entries).map(async ([name, input]) => ({
      name,
      ...(await bundleEntry(root, input)),
    })),
  )
  return {
    startScript: await bundleStartScript(root),
    modules: Object.fromEntries(bundled.map(({ name, modules }) => [name, modules])),
    files: Object.fromEntries(bundled.flatMap(({ files }) => Object.entries(files))),
  }
}

/** Minified, as a classic script; it is the same text whatever the modules contain. */
export async function bundleStartScript(root: string): Promise<string> {
  const rolldownOptions = {
    input: 'app/pages/browser/start-page.ts',
    output: { format: 'iife' },
  } as const
  const [entry] = await bundleInMemory({ root, build: { rolldownOptions } })
  return entry.code.trim()
}

async function bundleEntry(root: string, input: string) {
  const output = await bundleInMemory({
    root,
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
 * Bundles the owner's desk. It shares no file with the pages of visitors. `style`: goes into its
 * head.
 */
export async function bundleDesk(root: string, style: string) {
  const output = await bundleInMemory({
    root,
    base: '/desk/',
    build: {
      license: { fileName: 'assets/licences.txt' },
      rolldownOptions: { input: join(root, 'owner/desk/pages/index.html') },
    },
  })
  const files: Files = Object.fromEntries(
    output.map((file) => [basename(file.fileName), contentsOf(file)]),
  )
  const { 'index.html': html = '', ...assets } = files
  return { html: String(html).replace('<style></style>', () => `<style>${style}</style>`), assets }
}
