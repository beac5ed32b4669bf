import { drawingFiles } from '#build/share/artwork.ts'
import type { Content } from '#content/content.ts'
import { type Drawing, openDrawing } from '#site/drawing/draw-site.ts'

let drawing: Drawing | undefined

/** The guide of some content for a script, as PDF. */
export function drawGuide(content: Content, script: string): Promise<Uint8Array> {
  drawing ??= openDrawing(drawingFiles())
  return drawing.guide(content, {}, Buffer.from(script))
}
