import { readFileSync } from 'node:fs'
import { defaultContent } from '#content/content.ts'
import { favicon } from '#site/drawing/mark.ts'
import { readArtwork } from './artwork.ts'
import type { Files } from '../write-files.ts'

/** The files at the site's root: for browsers, search engines and link previews. */
export function rootFiles(): Files {
  const pictures = ['icon-192.png', 'apple-touch-icon.png', 'og.png', 'guide-page.png']
  const artwork = [...pictures, 'besley-licence.txt']
  const share = ['robots.txt', 'sitemap.xml']
  return {
    ...Object.fromEntries(artwork.map((name) => [name, readArtwork(name)])),
    ...Object.fromEntries(
      share.map((name) => [name, readFileSync(new URL(name, import.meta.url))]),
    ),
    'favicon.svg': favicon(defaultContent.palette),
    'webhook-receiver.mjs': readFileSync(
      new URL('../../site/kit/bridges/webhook-receiver.mjs', import.meta.url),
    ),
  }
}
