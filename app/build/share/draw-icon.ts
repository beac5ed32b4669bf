import { Resvg } from '@resvg/resvg-js'

/** The mark on paper as a PNG. It keeps to the middle, so that a phone may cut the corners round. */
export function drawIcon(mark: string, sizePx: number): Buffer {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 52 52">
    <rect width="52" height="52" fill="#f6f7f3" />
    <svg x="10" y="10" width="32" height="32" viewBox="0 0 32 32">${inside(mark)}</svg>
  </svg>`
  return Buffer.from(new Resvg(svg, { fitTo: { mode: 'width', value: sizePx } }).render().asPng())
}

/** What an SVG draws, without its own outer element and without its dark colours. */
export function inside(svg: string): string {
  return svg.replace(/<\/?svg[^>]*>/g, '').replace(/<style>.*<\/style>/, '')
}
