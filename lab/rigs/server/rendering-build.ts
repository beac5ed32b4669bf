import { hash } from 'node:crypto'
import { serialize } from 'node:v8'
import { createSiteWork } from '#site/site-work.tsx'
import { readOwnFiles } from '#site/files/own-file.ts'
import type { DrawnFiles, OwnFiles, SiteSource } from '#site/source.ts'
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
  const { draw, drawOne, readFiles, render, renderNotes } = createSiteWork(folder)
  const renderer = {
    readFiles: async (given: OwnFiles) => structuredClone(readOwnFiles(given)),
    render: async (...values: Parameters<SiteWork['render']>) =>
      structuredClone(await render(...values)),
    renderNotes,
    draw: async (source: SiteSource) => drawnEmpty(source),
    drawOne: async () => pngOf(900, 1273),
    warm: async () => {},
    close: async () => {},
  }
  return { folder, renderer, drawing: { ...renderer, readFiles, draw, drawOne } }
}

/** Like the real drawings: of the defaults there are none, and equal sources have equal ones. */
function drawnEmpty({ difference, files }: SiteSource) {
  const mark = hash('sha256', serialize([difference, files]))
  const isOurs = Object.keys({ ...difference.texts, ...files }).length === 0
  const drawn: DrawnFiles = {
    ...(!files.guide && { guide: Buffer.from(`%PDF-1.7 ${mark}`) }),
    ...(!files.sharePicture && { sharePicture: pngOf(1200, 630) }),
    guidePage: pngOf(900, 1273),
    icon192: pngOf(192, 192),
    appleTouchIcon: pngOf(180, 180),
  }
  const drawnFrom = { guide: mark, sharePicture: mark, icon: mark }
  return { drawn: isOurs ? {} : drawn, drawnFrom }
}
