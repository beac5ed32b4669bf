import type { Content } from '#content/content.ts'
import { printedGuide } from '#kit/guide/printed-guide.ts'
import { favicon } from '#renderer/drawing/mark.ts'
import { createTypesetter, type Typesetter } from '#renderer/drawing/typeset.ts'
import { artworkTools } from './artwork-tools.ts'

let typesetter: Typesetter | undefined

/** The guide of some content for a script, as PDF. */
export function typesetGuide(content: Content, script: string): Promise<Uint8Array> {
  typesetter ??= createTypesetter(artworkTools())
  return typesetter.typeset(printedGuide(content, script), favicon(content.palette))
}
