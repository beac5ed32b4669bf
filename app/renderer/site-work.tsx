import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PageAssets, renderNotes } from '#pages/render-pages.tsx'
import { drawGuide, type Drawing, drawShareImage, drawSite, warmUp } from './drawing/draw-site.ts'
import { readDrawingFiles } from './drawing/drawing-files.ts'
import { firstPage, pictureOfPage } from './drawing/pdf-page.ts'
import { createTypesetter } from './drawing/typeset.ts'
import { ownContent } from './own-content.ts'
import { type RenderedSite, renderSite } from './render-site.tsx'
import { pagePictures, type RootFiles, rootPictures } from './site-pictures.ts'
import type { DrawnFiles, DrawnSite, SiteSource } from './source.ts'

/** A page of the owner's own as bytes. */
export interface OwnSite extends RenderedSite {
  /** The files at the site's root that are not as the build has them. */
  readonly root: RootFiles
}

/** A drawing that the desk shows. */
export type DrawingName = 'guide' | 'share picture'

/** What the renderer's thread does, one after the other. */
export interface SiteWork {
  /** Pages and mails. `drawn`: by `draw`, of the same source. */
  render(source: SiteSource, drawn: DrawnFiles): OwnSite
  /** The notes under the forms, as a document for the owner. `address`: of an example. */
  renderNotes(source: SiteSource, address: string): string
  /**
   * The files that have to be drawn. Those that are as they were `before` are taken from there.
   * Throws a ContentError if words do not fit.
   */
  draw(source: SiteSource, before: DrawnSite | undefined): Promise<DrawnFiles>
  /** One of them as a PNG, as it would be published. `page`: of the guide, from 0. */
  drawOne(source: SiteSource, name: DrawingName, page: number): Promise<Uint8Array>
  /** Sets our guide once: until then drawings take seconds, afterwards less than one. */
  warm(): Promise<void>
}

/** `dist`: what the build wrote. */
export function createSiteWork(dist: string): SiteWork {
  // The build writes it in the form of this type.
  const assets: PageAssets = JSON.parse(readFileSync(join(dist, 'renderer/assets.json'), 'utf8'))
  const ours = {
    script: readFileSync(join(dist, 'kit/ema-crossover.pine')),
    guide: readFileSync(join(dist, 'kit/setup-guide.pdf')),
  }
  let opened: Drawing | undefined
  let warmed: Promise<void> | undefined
  const drawing = () => (opened ??= openDrawing(dist, ours.script))
  return {
    render(source, drawn) {
      const { files } = source
      const content = ownContent(source)
      const kit = {
        'ema-crossover.pine': files.script?.bytes ?? ours.script,
        'setup-guide.pdf': files.guide?.bytes ?? drawn.guide ?? ours.guide,
      }
      const pictures = pagePictures(files, drawn)
      const root = rootPictures(content, files, drawn)
      return { ...renderSite({ content, kit, pictures }, assets), root }
    },
    renderNotes: (source, address) => renderNotes(ownContent(source), assets, address),
    draw: (source, before) => drawSite(source, before, drawing()),
    async drawOne(source, name, page) {
      const content = ownContent(source)
      const { files } = source
      if (name === 'guide') {
        const guide = files.guide?.bytes ?? (await drawGuide(content, files, drawing()))
        const { width } = firstPage
        return pictureOfPage(guide ?? ours.guide, { number: page, width }, drawing().files)
      }
      const drawn = files.sharePicture?.bytes ?? (await drawShareImage(content, drawing()))
      return drawn ?? readFileSync(join(dist, 'root/og.png'))
    },
    warm: () => (warmed ??= warmUp(drawing())),
  }
}

function openDrawing(dist: string, ourScript: Uint8Array): Drawing {
  const files = readDrawingFiles(dist)
  return { files, typesetter: createTypesetter(files), ourScript }
}
