import { drawingFiles } from '#build/share/artwork.ts'
import type { SiteContent } from '#site/site-content.ts'
import { type Drawing, openDrawing } from '#site/drawing/draw-site.ts'

let drawing: Drawing | undefined

/** The guide of some content for a script, as PDF. */
export function drawGuide(content: SiteContent, script: string): Promise<Uint8Array> {
  drawing ??= openDrawing(drawingFiles())
  return drawing.guide(content, {}, Buffer.from(script))
}
