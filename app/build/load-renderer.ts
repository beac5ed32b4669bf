import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import { withoutEnvFile } from './bundle/in-memory.ts'

/** The renderer. Node runs no .tsx, so Vite imports it. */
export async function loadRenderer(
  root: string,
): Promise<typeof import('#renderer/render-site.tsx')> {
  const plugins = [withoutSheets]
  const config = { root, plugins, logLevel: 'warn', ...withoutEnvFile } as const
  const path = join(root, 'app/renderer/render-site.tsx')
  return (await runnerImport<typeof import('#renderer/render-site.tsx')>(path, config)).module
}

/** The renderer is given the style sheets as text, and Vite's runner cannot import them. */
const withoutSheets: Plugin = {
  name: 'without-sheets',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0sheet' : undefined),
  load: (id) => (id === '\0sheet' ? '' : undefined),
}
