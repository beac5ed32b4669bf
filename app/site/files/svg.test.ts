import { describe, expect, test } from 'vitest'
import { readSvg } from './svg.ts'

const open =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 4">'
const svg = (inner: string) => `${open}${inner}</svg>`

describe('an SVG is taken', () => {
  test.each([
    [
      'with a gradient of its own',
      '<defs><linearGradient id="a"/></defs><path fill="url(#a)" d="M0 0"/>',
    ],
    ['with a clip in quotes', `<g clip-path="url('#a')"/><g clip-path='url( "#a" )'/>`],
    ['with parts that are used again', '<symbol id="a"/><use href="#a"/><use xlink:href="#a"/>'],
    ['with a style sheet', '<style>@media print { .a { fill: url(#b) } }</style>'],
    [
      'with an embedded font',
      '<style>@font-face { src: local("A"), url("data:font/woff2;base64,d09GMg==") format("woff2") }</style>',
    ],
    [
      'with a font of an old program',
      '<style><![CDATA[@font-face{src:url(data:application/x-font-ttf;base64,AAEA)}]]></style>',
    ],
    [
      'with an embedded picture',
      '<image xlink:href="data:image/png;base64,iVBORw0=" width="1" height="1"/>',
    ],
    ['with a link to the web', '<a href="https://example.com/"><text>us</text></a>'],
    ['that moves', '<circle r="1"><animate attributeName="r" values="1;2" dur="1s"/></circle>'],
    [
      'with what an editor noted',
      '<metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" r:about="url(x)"/></metadata><i:namedview xmlns:i="urn:inkscape" i:onload="x"/>',
    ],
    [
      'with words about scripts',
      '<text>javascript: onclick = "x" &lt;script&gt;</text><title>url(http://x)</title>',
    ],
  ])('%s', (_, inner) => {
    expect(readSvg(svg(inner))).toEqual({ kind: 'svg', size: { width: 8, height: 4 } })
  })

  test.each([
    [
      'as matplotlib writes it',
      `<?xml version="1.0" encoding="utf-8" standalone="no"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"\n  "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${svg('')}`,
    ],
    ['with comments above it', `<!-- one -->\n<!-- two -->${svg('')}`],
    [
      'with a prefix',
      '<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0,0 8,4"><s:g/></s:svg>',
    ],
    [
      'with its size as lengths',
      '<svg xmlns="http://www.w3.org/2000/svg" width="8mm" height="4mm"/>',
    ],
  ])('%s', (_, text) => {
    expect(readSvg(text)).toEqual({ kind: 'svg', size: { width: 8, height: 4 } })
  })

  test.each([
    'viewBox="0 0 a b"',
    'viewBox="0 0 0 4"',
    'width="100%" height="100%"',
    'width="8"',
    '',
  ])('without a size, if it has none: %s', (attributes) => {
    const text = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`
    expect(readSvg(text)).toEqual({ kind: 'svg', size: undefined })
  })
})

describe('an SVG that runs something is refused:', () => {
  test.each([
    '<script>alert(1)</script>',
    '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>',
    '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>',
    '<x:script xmlns:x="urn:any">alert(1)</x:script>',
    '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
    '<h:iframe xmlns:h="http://www.w3.org/1999/xhtml"/>',
    '<foreignObject/>',
    '<handler/>',
    '<math xmlns="http://www.w3.org/1998/Math/MathML"/>',
    '<path onload="alert(1)"/>',
    '<path ONLOAD="alert(1)"/>',
    '<a href="javascript:alert(1)"/>',
    '<a xlink:href=" java&#10;script:alert(1)"/>',
    '<a xmlns:y="http://www.w3.org/1999/xlink" y:href="javascript:alert(1)"/>',
    '<a href="data:text/html,x"/>',
    '<set attributeName="href" to="javascript:alert(1)"/>',
    '<animate attributeName="xlink:href" values="javascript:alert(1)"/>',
    '<set attributeName="onclick" to="alert(1)"/>',
  ])('%s', (inner) => {
    expect(messageOf(svg(inner))).toMatch(/^The SVG contains a script/)
  })
})

describe('an SVG that fetches something is refused:', () => {
  test.each([
    '<image href="https://x.example/a.png"/>',
    '<image xlink:href="//x.example/a.png"/>',
    '<image href="a.png"/>',
    '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>',
    '<use href="other.svg#a"/>',
    '<use href="data:image/svg+xml,x#a"/>',
    '<feImage href="http://x.example/"/>',
    '<style>@import "x.css"</style>',
    '<style>@im\\port "x.css"</style>',
    '<style>@font-face { src: url(https://x.example/a.woff2) }</style>',
    '<style><![CDATA[a { fill: u]]>rl(//x.example) }</style>',
    '<g style="background: u\\72l(https://x.example/)"/>',
    '<g style="background: \\75 rl(https://x.example/)"/>',
    '<g style="background: image-set(&quot;https://x.example/&quot; 1x)"/>',
    '<g filter="url(other.svg#a)"/>',
    '<g fill="URL( &#39;http://x.example/&#39; )"/>',
    '<g xml:base="https://x.example/"/>',
    '<set attributeName="fill" to="url(https://x.example/)"/>',
  ])('%s', (inner) => {
    expect(messageOf(svg(inner))).toMatch(/^The SVG uses something from another file: /)
  })

  test('a style sheet beside it', () => {
    expect(messageOf(`<?xml-stylesheet href="x.css"?>${svg('')}`)).toContain('a style sheet')
  })
})

test.each([
  ['with entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`, 'defines entities'],
  [
    'with its namespace as an entity, as Illustrator writes it',
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [\n<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]><svg xmlns="&ns_svg;"/>`,
    'defines entities',
  ],
  ['that ends before its first element', '<!DOCTYPE svg PUBLIC "a" "b">\n', 'is not whole'],
  [
    'with attributes of its document type',
    `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "x">]>${svg('')}`,
    'defines entities',
  ],
  ['that is cut off', svg('<g>').slice(0, -6), 'is not whole'],
  ['with a prefix that nothing explains', svg('<a:b/>'), 'is not whole'],
  ['with an unknown element', svg('<blink/>'), 'contains “blink”'],
  ['without its namespace', '<svg viewBox="0 0 1 1"/>', 'needs xmlns="http://www.w3.org/2000/svg"'],
  ['nested a thousand deep', svg('<g>'.repeat(1_000) + '</g>'.repeat(1_000)), 'nested too deeply'],
])('an SVG %s is refused with the reason', (_, text, words) => {
  expect(messageOf(text)).toContain(words)
})

test.each([
  '',
  'GIF89a',
  '<html><svg xmlns="http://www.w3.org/2000/svg"/></html>',
  '{"svg": 1}',
  '<!DOCTYPE html [<!ENTITY a "b">]><html/>',
])('what is no SVG is told from one: %j', (text) => {
  expect(readSvg(text)).toBeUndefined()
})

// Each took minutes or for ever with a regular expression.
test.each([
  ['comments', '<!---->'.repeat(60), undefined],
  ['comments that are never closed', '<!--'.repeat(100_000), undefined],
  [
    'spaces in the box',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${' '.repeat(200_000)}"/>`,
    'svg',
  ],
  ['open elements', open + '<g>'.repeat(100_000), 'refused'],
  ['functions of CSS', svg(`<g style="${'url( '.repeat(100_000)}"/>`), 'refused'],
  ['escapes of CSS', svg(`<g style="${'\\'.repeat(200_000)}"/>`), 'svg'],
])('%s are read at once', (_, text, kind) => {
  expect(readSvg(text)?.kind).toBe(kind)
})

function messageOf(text: string): string {
  const read = readSvg(text)
  return read?.kind === 'refused' ? read.message : JSON.stringify(read)
}
