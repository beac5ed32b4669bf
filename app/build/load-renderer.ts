import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import type { PageAssets } from '#site/pages/page-assets.ts'
import type { RenderedSite, RenderSource } from '#site/rendered-site.ts'
import { viteSettings } from './bundle/in-memory.ts'

/** The part of app/site/render-site.tsx that the build uses. */
interface Renderer {
  renderSite(source: RenderSource, assets: PageAssets): RenderedSite
}

/** Node runs no .tsx, so Vite imports it. */
export async function loadRenderer(root: string): Promise<Renderer> {
  const plugins = [withoutSheets]
  const config = { root, plugins, logLevel: 'warn', ...viteSettings } as const
  const path = join(root, 'app/site/render-site.tsx')
  return (await runnerImport<Renderer>(path, config)).module
}

/** The renderer is given the style sheets as text, and Vite's runner cannot import them. */
const withoutSheets: Plugin = {
  name: 'without-sheets',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0sheet' : undefined),
  load: (id) => (id === '\0sheet' ? '' : undefined),
}
