import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import type { SiteBundle } from '#site/bundle.ts'
import type { SiteAssets } from '#site/site-assets.ts'
import type { SiteSource } from '#site/source.ts'
import { viteSettings } from './bundle/in-memory.ts'

/** The part of app/site/make-bundle.tsx that the build uses. */
interface Renderer {
  makeBundle(source: SiteSource, assets: SiteAssets): Promise<SiteBundle>
}

/** Node runs no .tsx, so Vite imports it. */
export async function loadRenderer(root: string): Promise<Renderer> {
  const plugins = [withoutSheets]
  const config = { root, plugins, logLevel: 'warn', ...viteSettings } as const
  return (await runnerImport<Renderer>(join(root, 'app/site/make-bundle.tsx'), config)).module
}

/** The renderer is given the style sheets as text, and Vite's runner cannot import them. */
const withoutSheets: Plugin = {
  name: 'without-sheets',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0sheet' : undefined),
  load: (id) => (id === '\0sheet' ? '' : undefined),
}
