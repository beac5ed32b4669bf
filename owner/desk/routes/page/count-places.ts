import type { SiteSource } from '#renderer/source.ts'
import type { Renderer } from '#server/site/renderer-client.ts'
import { type ContentValue, fieldAt } from '#words/description.ts'
import { textAt } from './draft/draft-difference.ts'

/** Documents of which every visitor gets one of several. */
const variants = /^(?:what-changed|leaving)-/

/**
 * Counts the pages and mails in which each text stands. A path that leads to no text is left out.
 */
export async function countPlaces(
  renderer: Renderer,
  source: SiteSource,
  paths: readonly string[],
): Promise<Record<string, number>> {
  const { texts } = source.difference
  const marks = new Map(
    paths.filter(isMarkable).map((path, index) => [path, `zqplace${index}qz`] as const),
  )
  const marked = Array.from(marks, ([path, mark]) => [path, withMark(textAt(texts, path), mark)])
  const difference = { ...source.difference, texts: { ...texts, ...Object.fromEntries(marked) } }
  const { pages, mails } = await renderer.render({ ...source, difference }, {})
  const documents = [
    ...Object.entries(pages).flatMap(([name, html]) => (variants.test(name) ? [] : html)),
    mails.starter.html,
    mails.announcement?.html ?? '',
    mails.letter.html,
  ].join('\n')
  const counts = Array.from(marks, ([path, mark]) => [path, documents.split(mark).length - 1])
  return Object.fromEntries(counts)
}

function isMarkable(path: string): boolean {
  const kind = fieldAt(path)?.kind
  return kind === 'text' || kind === 'lines' || kind === 'link'
}

function withMark(value: ContentValue, mark: string): string {
  return `${typeof value === 'string' ? value : ''}${mark}`
}
