import { build } from 'vite'

export interface BrowserBundle {
  /** Addresses: the script the page names, and the chunks it cannot run without. */
  script: string
  preloads: string[]
  /** Name with content hash -> source text. */
  files: Record<string, string>
}

// In a file of its own React is read in by itself: docs/decisions/0016.
const codeSplitting = {
  groups: [{ name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ }],
}

/** Bundles what the browser runs, split where the code imports on demand. */
export async function bundleBrowserCode(root: string): Promise<BrowserBundle> {
  const result = await build({
    root,
    logLevel: 'warn',
    build: {
      write: false,
      rolldownOptions: { input: 'app/pages/entry-browser.tsx', output: { codeSplitting } },
    },
  })
  if (Array.isArray(result) || !('output' in result)) throw new Error('One bundle was expected')
  const chunks = result.output.map((output) => {
    // The page's style stands in its HTML, so that the first paint waits for nothing: a style file here is a mistake.
    if (output.type !== 'chunk')
      throw new Error(`The browser bundle is to be script only, not ${output.fileName}`)
    return output
  })
  const entry = chunks.find((chunk) => chunk.isEntry)
  if (!entry) throw new Error('The bundle has no entry')
  return {
    script: `/${entry.fileName}`,
    preloads: entry.imports.map((name) => `/${name}`),
    files: Object.fromEntries(chunks.map((chunk) => [chunk.fileName.replace('assets/', ''), chunk.code])),
  }
}
