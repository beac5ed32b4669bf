import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brand } from '#content/brand.ts'
import { light } from '#content/palette.ts'
import { drawIcon, drawShareImage } from './draw-pictures.ts'

const here = import.meta.dirname

/** The files at the site's root, by name: for browsers, search engines and link previews. */
export async function makeShareFiles(): Promise<Record<string, Buffer | string>> {
  const mark = await readFile(join(here, 'favicon.svg'), 'utf8')
  return {
    'favicon.svg': mark,
    'icon-192.png': drawIcon(mark, 192),
    'icon-512.png': drawIcon(mark, 512),
    'apple-touch-icon.png': drawIcon(mark, 180),
    'og.png': await drawShareImage(mark),
    'site.webmanifest': JSON.stringify(manifest),
    'robots.txt': await readFile(join(here, 'robots.txt'), 'utf8'),
    'webhook-receiver.mjs': await readFile(join(here, '../../kit/bridges/webhook-receiver.mjs'), 'utf8'),
    'sitemap.xml': await readFile(join(here, 'sitemap.xml'), 'utf8'),
  }
}

const manifest = {
  name: brand.name,
  description: brand.tagline,
  start_url: '/',
  display: 'browser',
  background_color: light.paper,
  theme_color: light.paper,
  icons: [192, 512].map((size) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
}
