/** The text face, and what stands in for it until it is there: measured, so that nothing moves when it comes (design, section 2). */
export function fontFaces(font: string): string {
  return [
    `@font-face{font-family:Besley;src:url(${font}) format("woff2");font-weight:400 600;font-display:swap}`,
    ...standIns.map(
      ({ name, local, size, ascent, descent }) =>
        `@font-face{font-family:${name};src:${local.map((face) => `local("${face}")`).join()};size-adjust:${size}%;ascent-override:${ascent}%;descent-override:${descent}%;line-gap-override:0%}`,
    ),
  ].join('\n')
}

const standIns = [
  { name: 'b1', local: ['Georgia'], size: 114.4, ascent: 109.3, descent: 37.2 },
  { name: 'b2', local: ['Noto Serif'], size: 105.5, ascent: 118.5, descent: 40.3 },
  { name: 'b3', local: ['Times New Roman', 'Liberation Serif'], size: 124.4, ascent: 100.5, descent: 34.2 },
]
