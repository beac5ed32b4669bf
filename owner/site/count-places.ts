import type { SiteSource } from '#site/source.ts'
import type { Renderer } from '#server/site/renderer-client.ts'
import { type ContentValue, fieldAt } from '#site/words/description.ts'
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
  const markByPath = new Map<string, string>()
  const markedTexts: Record<string, ContentValue> = { ...texts }
  for (const [index, path] of paths.filter(isMarkable).entries()) {
    const mark = `zqplace${index}qz` // no text has these letters in it, and HTML leaves them as they are
    markByPath.set(path, mark)
    markedTexts[path] = withMark(textAt(texts, path), mark)
  }
  const difference = { ...source.difference, texts: markedTexts }
  const documents = await renderDocuments(renderer, { ...source, difference })
  const counts: Record<string, number> = {}
  for (const [path, mark] of markByPath) counts[path] = documents.split(mark).length - 1
  return counts
}

/** The HTML of all pages and mails. */
async function renderDocuments(renderer: Renderer, source: SiteSource): Promise<string> {
  const { pages, mails } = await renderer.render(source, {})
  const single = Object.entries(pages).filter(([name]) => !variants.test(name))
  return [
    ...single.map(([, html]) => html),
    mails.starter.html,
    mails.versionLetter.html,
    mails.letter.html,
  ].join('\n')
}

function isMarkable(path: string): boolean {
  const kind = fieldAt(path)?.kind
  return kind === 'text' || kind === 'lines' || kind === 'link'
}

function withMark(value: ContentValue, mark: string): string {
  return `${typeof value === 'string' ? value : ''}${mark}`
}
