import { hash } from 'node:crypto'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import type { Drawing } from '#site/drawing/draw-site.ts'
import { readSiteAssets } from '#site/site-assets.ts'
import { createSiteWork } from '#site/site-work.tsx'
import type { SiteWork } from '#site/renderer-messages.ts'
import type { Renderer } from '#server/site/renderer-client.ts'
import { pngOf } from './png.ts'
import { stubBuildWithRenderer } from './stub-pages.ts'

interface RenderingBuild {
  folder: string
  /** Renders, and draws empty pictures of the right size. */
  renderer: Renderer
  /** Draws as well. Its tools take five seconds of a core to load. */
  drawing: Renderer
}

let made: RenderingBuild | undefined

/**
 * A stub build with the real renderer, but without its process: Node runs no .tsx outside a build.
 * All tests of a process share it.
 */
export function renderingBuild(): RenderingBuild {
  made ??= makeRenderingBuild()
  return made
}

function makeRenderingBuild(): RenderingBuild {
  const folder = stubBuildWithRenderer()
  const assets = readSiteAssets(join(folder, 'renderer'))
  return {
    folder,
    renderer: rendererOf(createSiteWork({ ...assets, drawing: emptyDrawing })),
    drawing: rendererOf(createSiteWork(assets)),
  }
}

function rendererOf(work: SiteWork): Renderer {
  return {
    ...work,
    readFiles: async (given) => structuredClone(await work.readFiles(given)),
    make: async (...values) => structuredClone(await work.make(...values)),
    warm: async () => {},
    close: async () => {},
  }
}

/** Like the real drawings: equal sources have equal ones. */
const emptyDrawing: Drawing = {
  tryFiles: async () => {},
  guide: async (content, files, script) =>
    files.guide?.bytes ??
    Buffer.from(`%PDF-1.7 ${hash('sha256', serialize([content, files, script]))}`),
  page: async () => pngOf(900, 1273),
  async draw(content, files, script) {
    return {
      guide: await emptyDrawing.guide(content, files, script),
      guidePage: pngOf(900, 1273),
      sharePicture: files.sharePicture?.bytes ?? pngOf(1200, 630),
      favicon: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      icon192: pngOf(192, 192),
      appleTouchIcon: pngOf(180, 180),
    }
  },
}
