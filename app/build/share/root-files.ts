import { readFileSync } from 'node:fs'
import { brand } from '#content/brand.ts'
import { light as colours } from '#content/palette.ts'
import { readArtwork } from './artwork.ts'
import type { Files } from '../write-files.ts'

/** The files at the site's root: for browsers, search engines and link previews. */
export function rootFiles(): Files {
  const drawn = ['icon-192.png', 'icon-512.png', 'apple-touch-icon.png', 'og.png', 'besley-licence.txt']
  const share = ['favicon.svg', 'robots.txt', 'sitemap.xml']
  return {
    ...Object.fromEntries(drawn.map((name) => [name, readArtwork(name)])),
    ...Object.fromEntries(share.map((name) => [name, readFileSync(new URL(name, import.meta.url))])),
    'webhook-receiver.mjs': readFileSync(new URL('../../kit/bridges/webhook-receiver.mjs', import.meta.url)),
    'site.webmanifest': JSON.stringify(manifest),
  }
}

const manifest = {
  name: brand.name,
  description: brand.tagline,
  start_url: '/',
  display: 'browser',
  background_color: colours.paper,
  theme_color: colours.paper,
  icons: [192, 512].map((size) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
}
