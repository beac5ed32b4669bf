import { createHash } from 'node:crypto'

/** For the content security policy: the hash of every inline style and script of the pages. */
export function inlineHashes(pages: string[]) {
  const html = pages.join('\n')
  return {
    styleHashes: hashes(html.matchAll(/<style(?<attributes>[^>]*)>(?<code>[^]*?)<\/style>/g)),
    scriptHashes: hashes(html.matchAll(/<script(?<attributes>[^>]*)>(?<code>[^]*?)<\/script>/g)),
  }
}

function hashes(elements: Iterable<RegExpExecArray>): string[] {
  const inline = [...elements]
    .map(({ groups }) => ({ attributes: groups?.['attributes'] ?? '', code: groups?.['code'] ?? '' }))
    // A script of type application/ld+json is data: a browser never runs it, so no policy applies.
    .filter(({ attributes, code }) => code !== '' && !attributes.includes('json'))
    .map(({ code }) => code)
  const filledLater = inline.find((code) => code.includes('{{'))
  if (filledLater)
    throw new Error(`Filling a placeholder here would change the hash: ${filledLater.slice(0, 80)}`)
  return [...new Set(inline.map((code) => `sha256-${createHash('sha256').update(code).digest('base64')}`))]
}
