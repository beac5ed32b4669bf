import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { guideFile, scriptFile } from '#site/kit/kit-files.ts'
import type { PageAssets } from '#site/pages/page-assets.ts'
import { renderNotes } from '#site/pages/render-pages.tsx'
import {
  drawGuide,
  type DrawingDeps,
  drawShareImage,
  drawSite,
  tryFiles,
  warmUp,
} from './drawing/draw-site.ts'
import { readDrawingFiles } from './drawing/drawing-files.ts'
import { firstPage, pictureOfPage } from './drawing/pdf-page.ts'
import { createTypesetter } from './drawing/typeset.ts'
import { readOwnFiles } from './files/own-file.ts'
import { ownContent } from './own-content.ts'
import { renderSite } from './render-site.tsx'
import { pagePictures, rootPictures } from './site-pictures.ts'
import type { SiteWork } from './renderer-messages.ts'

/** `dist`: what the build wrote. */
export function createSiteWork(dist: string): SiteWork {
  // The build writes it in the form of this type.
  const assets: PageAssets = JSON.parse(readFileSync(join(dist, 'renderer/assets.json'), 'utf8'))
  const ours = {
    script: readFileSync(join(dist, 'kit', scriptFile)),
    guide: readFileSync(join(dist, 'kit', guideFile)),
  }
  let opened: DrawingDeps | undefined
  let warmed: Promise<void> | undefined
  const deps = () => (opened ??= openDeps(dist, ours.script))
  return {
    async readFiles(given) {
      const read = readOwnFiles(given)
      await tryFiles(read.files, deps())
      return read
    },
    async render(source, drawn) {
      const { files } = source
      const content = ownContent(source)
      const kit = {
        [scriptFile]: files.script?.bytes ?? ours.script,
        [guideFile]: files.guide?.bytes ?? drawn.guide ?? ours.guide,
      }
      const pictures = pagePictures(files, drawn)
      const root = rootPictures(content, files, drawn)
      return { ...renderSite({ content, kit, pictures }, assets), root }
    },
    renderNotes: async (source, address) => renderNotes(ownContent(source), assets, address),
    draw: (source, before) => drawSite(source, before, deps()),
    async drawOne(source, document, page) {
      const content = ownContent(source)
      const { files } = source
      if (document === 'guide') {
        const guide = files.guide?.bytes ?? (await drawGuide(content, files, deps()))
        const { width } = firstPage
        return pictureOfPage(guide ?? ours.guide, { number: page, width }, deps().files)
      }
      const drawn = files.sharePicture?.bytes ?? (await drawShareImage(content, deps()))
      return drawn ?? readFileSync(join(dist, 'root/og.png'))
    },
    warm: () => (warmed ??= warmUp(deps())),
  }
}

function openDeps(dist: string, ourScript: Uint8Array): DrawingDeps {
  const files = readDrawingFiles(dist)
  return { files, typesetter: createTypesetter(files), ourScript }
}
