import type { Content } from '#content/content.ts'
import { printedGuide } from '#site/guide/printed-guide.ts'
import { favicon } from '#site/drawing/mark.ts'
import { createTypesetter, type Typesetter } from '#site/drawing/typeset.ts'
import { artworkTools } from './artwork-tools.ts'

let typesetter: Typesetter | undefined

/** The guide of some content for a script, as PDF. */
export function typesetGuide(content: Content, script: string): Promise<Uint8Array> {
  typesetter ??= createTypesetter(artworkTools())
  return typesetter.typeset(printedGuide(content, script), favicon(content.palette))
}
