import { createHash } from 'node:crypto'

/** For the content security policy: the hash of every inline style and script of the pages. */
export function inlineHashes(pages: string[]) {
  const html = pages.join('\n')
  return { styleHashes: hashesOf('style', html), scriptHashes: hashesOf('script', html) }
}

function hashesOf(tag: 'style' | 'script', html: string): string[] {
  const elements = html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))
  const inline = [...elements].flatMap(([, code]) => code || [])
  return [...new Set(inline.map((code) => `sha256-${createHash('sha256').update(code).digest('base64')}`))]
}
