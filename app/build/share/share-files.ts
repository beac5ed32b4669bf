import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { brand } from '#content/brand.ts'
import { kit } from '#content/kit.ts'
import { chart, hero } from '#content/pages/landing-page.ts'
import { light as colours } from '#content/palette.ts'
import { chartStyle } from '#kit/chart-paint.ts'
import { drawChart, escapeMarkup } from '#kit/chart.ts'
import { makeStillFonts } from '../fonts/text-font.ts'

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
  background_color: colours.paper,
  theme_color: colours.paper,
  icons: [192, 512].map((size) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
}

const values = { ...colours, mono: 'Cousine', text: 'Besley' }

const width = 1200
const height = 630
const chartY = height - 364
const axisX = width - 72

/** The picture that goes with a link to the page (Open Graph): the top of the page itself. */
async function drawShareImage(mark: string): Promise<Buffer> {
  const { besley, mono } = await makeStillFonts()
  const folder = await mkdtemp(join(tmpdir(), 'share-image-')) // Resvg takes fonts from files only
  try {
    await Promise.all([...besley, mono].map((font, index) => writeFile(join(folder, `${index}.ttf`), font)))
    const options = { font: { fontDirs: [folder], loadSystemFonts: false, defaultFontFamily: 'Besley' } }
    return Buffer.from(new Resvg(shareImage(mark), options).render().asPng())
  } finally {
    await rm(folder, { recursive: true })
  }
}

function shareImage(mark: string): string {
  const [firstLine, secondLine] = hero.heading
  // 22 letters of full size end where the words over the chart begin.
  const shrink = Math.min(1, 22 / Math.max(firstLine.length, secondLine.length))
  const headingSize = `font-size="${Math.floor(82 * shrink)}" letter-spacing="${-2.5 * shrink}"`
  // 103 bars of 11 px reach from the axis over the left edge.
  const drawing = drawChart({ firstBar: 17, pricesOnly: kit.script.isYourOwn }).replace(
    '<svg ',
    `<svg x="${axisX - 1133}" y="${chartY}" `,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
    <style>${chartStyle((token) => values[token])}</style>
    <rect width="${width}" height="${height}" fill="${colours.paper}" />
    ${drawing}
    <path d="M${axisX + 0.5} 0V${chartY}M0 ${chartY - 0.5}H${width}" stroke="${colours.rule}" />
    <svg x="48" y="22" width="44" height="44" viewBox="0 0 32 32">${contentOf(mark)}</svg>
    ${priceLine()}
    <g fill="${colours.ink}" font-family="Besley" font-weight="500">
      <text x="106" y="54" font-size="30">${escapeMarkup(brand.name)}</text>
      <text x="44" y="156" ${headingSize}>${escapeMarkup(firstLine)}</text>
      <text x="44" y="238" ${headingSize}>${escapeMarkup(secondLine)}</text>
    </g>
  </svg>`
}

function priceLine(): string {
  return `<path d="M660 44.5H${axisX}" stroke="${colours.ink}" stroke-dasharray="4 3" />
    <rect x="560.5" y="25.5" width="440" height="38" fill="${colours.paper}" stroke="${colours.ink}" />
    <text x="576" y="51" font-family="Besley" font-weight="600" font-size="21" fill="${colours.ink}">${escapeMarkup(hero.badge)}</text>
    <rect x="${axisX}" y="25" width="72" height="39" fill="${colours.ink}" />
    <g font-family="Cousine">
      <text x="${axisX + 12}" y="50" font-size="18" fill="${colours.paper}">0.00</text>
      <text x="${axisX - 20}" y="246" font-size="13" fill="${colours.ink2}" text-anchor="end">${escapeMarkup(chart.sample)}</text>
    </g>`
}

/** The mark on paper as a PNG. It keeps to the middle, so that a phone may round the corners. */
function drawIcon(mark: string, sizePx: number): Buffer {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 52 52">
    <rect width="52" height="52" fill="${colours.paper}" />
    <svg x="10" y="10" width="32" height="32" viewBox="0 0 32 32">${contentOf(mark)}</svg>
  </svg>`
  return Buffer.from(new Resvg(svg, { fitTo: { mode: 'width', value: sizePx } }).render().asPng())
}

/** The markup inside an SVG, without its dark colours. */
function contentOf(svg: string): string {
  return svg.replace(/<\/?svg[^>]*>/g, '').replace(/<style>.*<\/style>/, '')
}
