import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageAssets } from '#site/pages/page-assets.ts'
import { type Drawing, openDrawing } from './drawing/draw-site.ts'
import { readDrawingFiles } from './drawing/drawing-files.ts'

/** All that a bundle is made from, beside its source. */
export interface SiteAssets {
  /** The build that they are of. */
  readonly build: string
  /** The build draws while its bundler still makes them. */
  readonly page: PageAssets | Promise<PageAssets>
  /** Our script. */
  readonly script: Uint8Array
  /** The files at the site's root that are the same for every site, by name. */
  readonly root: Readonly<Record<string, Uint8Array>>
  readonly drawing: Drawing
}

/** `folder`: what the build wrote for it. Nothing else is read: a release has no sources. */
export function readSiteAssets(folder: string): SiteAssets {
  const root = join(folder, 'root')
  const rootFiles = readdirSync(root).map((name) => [name, readFileSync(join(root, name))] as const)
  // The build writes it in the form of these types.
  const { build, page } = JSON.parse(readFileSync(join(folder, 'assets.json'), 'utf8'))
  return {
    build,
    page,
    script: readFileSync(join(folder, 'script.pine')),
    root: Object.fromEntries(rootFiles),
    drawing: openDrawing(readDrawingFiles(folder)),
  }
}
