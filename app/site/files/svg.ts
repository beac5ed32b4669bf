import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'

/** A drawing that shows itself: nothing in it runs, or fetches something from elsewhere. */
export interface Svg {
  readonly kind: 'svg'
  /** Of its box, in its own units. Undefined: it has none. */
  readonly size: { readonly width: number; readonly height: number } | undefined
}

/** `message`: a sentence for the owner. */
type Refused = { readonly kind: 'refused'; readonly message: string }

/** Returns undefined if it is no SVG at all. */
export function readSvg(text: string): Svg | Refused | undefined {
  const reader = new SvgReader()
  try {
    reader.read(text)
  } catch (fault) {
    if (!(fault instanceof SvgFault)) throw fault
    return reader.isSvg ? { kind: 'refused', message: fault.message } : undefined
  }
  return { kind: 'svg', size: reader.root && sizeOf(reader.root) }
}

class SvgFault extends Error {}

const svgNamespace = 'http://www.w3.org/2000/svg'
const xlinkNamespace = 'http://www.w3.org/1999/xlink'
/** A browser gives the elements of these a meaning. Those of editors mean nothing to it. */
const otherNamespaces = new Set([
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/1998/Math/MathML',
  'http://www.w3.org/2001/xml-events',
])

/** These get a sentence of their own. */
const runs = new Set([
  'script',
  'foreignObject',
  'iframe',
  'embed',
  'object',
  'handler',
  'listener',
])
/** All that are taken: they draw, describe or move. */
const elements = new Set(
  `a animate animateMotion animateTransform circle clipPath color-profile cursor defs desc discard
  ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
  feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
  feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
  feSpotLight feTile feTurbulence filter flowDiv flowPara flowRegion flowRoot flowSpan font
  font-face font-face-format font-face-name font-face-src g glyph hatch hatchpath hkern image line
  linearGradient marker mask mesh meshgradient meshpatch meshrow metadata missing-glyph mpath path
  pattern polygon polyline radialGradient rect set solidcolor stop style svg switch symbol text
  textPath title tref tspan use view vkern`.split(/\s+/),
)

/** Drawings nest some ten deep. Each level makes the next one slower to read and to draw. */
const maxDepth = 200

const scriptWords = 'The SVG contains a script. Save it as a plain SVG.'
const webPageWords = 'The SVG contains a script or a web page. Save it as a plain SVG.'

class SvgReader {
  /** The outermost element, as soon as it is read and is that of an SVG. */
  root: SaxesTagNS | undefined
  readonly #parser = new SaxesParser({ xmlns: true })
  /** The texts of the style sheets that are being read, the outermost first. */
  readonly #sheets: string[] = []
  #depth = 0
  /** The name of the outermost element in the document type. */
  #doctypeName = ''
  #usesStyleSheet = false

  /** Also if it ends before its first element. */
  get isSvg(): boolean {
    return this.root !== undefined || this.#doctypeName === 'svg'
  }

  read(text: string): void {
    const parser = this.#parser
    parser.on('error', ({ message }) => {
      throw new SvgFault(`The SVG is not whole: ${message}`)
    })
    parser.on('doctype', (doctype) => {
      this.#doctypeName = /[^\s[]+/.exec(doctype)?.[0] ?? ''
      // Illustrator writes the namespaces as entities: nothing below could be read.
      if (doctype.includes('[')) {
        throw new SvgFault('The SVG’s document type defines entities. Save it as a plain SVG.')
      }
    })
    parser.on('processinginstruction', ({ target }) => {
      this.#usesStyleSheet ||= target === 'xml-stylesheet'
    })
    parser.on('opentagstart', () => {
      this.#depth += 1
      if (this.#depth > maxDepth) throw new SvgFault('The SVG is nested too deeply.')
    })
    parser.on('opentag', (tag) => this.#open(tag))
    parser.on('text', (piece) => this.#addToSheet(piece))
    parser.on('cdata', (piece) => this.#addToSheet(piece))
    parser.on('closetag', (tag) => this.#close(tag))
    parser.write(text).close()
  }

  #open(tag: SaxesTagNS): void {
    if (!this.root) this.#begin(tag)
    checkElement(tag)
    if (isStyle(tag)) this.#sheets.push('')
  }

  /** What stands before the first element is a fault only if that is one of an SVG. */
  #begin(tag: SaxesTagNS): void {
    if (tag.local !== 'svg') throw new SvgFault('no SVG')
    this.root = tag
    if (tag.uri !== svgNamespace) {
      throw new SvgFault(
        `The SVG does not say what it is: its first element needs xmlns="${svgNamespace}".`,
      )
    }
    if (this.#usesStyleSheet) throw fromElsewhere('a style sheet')
  }

  #addToSheet(piece: string): void {
    const last = this.#sheets.length - 1
    if (last >= 0) this.#sheets[last] += piece
  }

  #close(tag: SaxesTagNS): void {
    this.#depth -= 1
    if (isStyle(tag)) checkStyle(this.#sheets.pop() ?? '')
  }
}

function isStyle({ uri, local }: SaxesTagNS): boolean {
  return uri === svgNamespace && local === 'style'
}

function checkElement({ uri, local, attributes }: SaxesTagNS): void {
  if (uri !== svgNamespace) {
    if (otherNamespaces.has(uri) || runs.has(local)) throw new SvgFault(webPageWords)
    return
  }
  if (runs.has(local)) throw new SvgFault(webPageWords)
  if (!elements.has(local)) {
    throw new SvgFault(`The SVG contains “${local.slice(0, 40)}”. Save it as a plain SVG.`)
  }
  for (const attribute of Object.values(attributes)) checkAttribute(local, attribute)
}

function checkAttribute(element: string, { uri, prefix, local, value }: SaxesAttributeNS): void {
  if (prefix === 'xml') {
    if (local === 'base') throw fromElsewhere(value)
    return
  }
  if (local === 'href' && (uri === '' || uri === xlinkNamespace)) return checkLink(element, value)
  if (uri !== '') return
  if (/^on/i.test(local)) throw new SvgFault(scriptWords)
  if (local === 'src') return checkLink(element, value)
  // An animation must not put in later what may not stand there.
  if (local === 'attributeName' && /^(?:.*:)?(?:href|on.*|style|src)$/i.test(value.trim())) {
    throw new SvgFault(scriptWords)
  }
  checkStyle(value)
}

const embeddedPicture = /^data:image\/(?:png|jpe?g|gif|webp)[;,]/i

function checkLink(element: string, value: string): void {
  const link = value.trim()
  if (link === '' || link.startsWith('#')) return
  if (element === 'a') {
    if (!/^(?:https?:|mailto:)/i.test(link)) throw new SvgFault(scriptWords)
    return
  }
  const isPicture = element === 'image' || element === 'feImage'
  if (!isPicture || !embeddedPicture.test(link)) throw fromElsewhere(link)
}

/** A style sheet, or an attribute that may hold a part of one: `fill="url(#a)"`. */
function checkStyle(css: string): void {
  const plain = css.includes('\\') ? withoutEscapes(css) : css
  const [other] = /@import|image-set\(|\bsrc\(/i.exec(plain) ?? []
  if (other) throw fromElsewhere(other)
  for (const [, address = ''] of plain.matchAll(/url\(\s*["']?([^"')]{0,80})/gi)) {
    const isOwn = /^(?:#|data:|$)/i.test(address.trim())
    if (!isOwn) throw fromElsewhere(address)
  }
}

/** CSS writes any letter as its number, too: `\75 rl(`. */
function withoutEscapes(css: string): string {
  return css.replaceAll(/\\(?:([\da-f]{1,6})\s?|([^]))/gi, (_, code?: string, letter?: string) => {
    const point = Number.parseInt(code ?? '', 16)
    return letter ?? String.fromCodePoint(point > 0x10ffff ? 0xfffd : point)
  })
}

function fromElsewhere(what: string): SvgFault {
  const named = what.trim().slice(0, 60)
  return new SvgFault(
    `The SVG uses something from another file: ${named}. Save it with everything embedded.`,
  )
}

/** Its lengths count before its box, for browsers too. */
function sizeOf({ attributes }: SaxesTagNS): Svg['size'] {
  const box = attributes['viewBox']?.value.trim().split(/[\s,]+/) ?? []
  return (
    sizeFrom(lengthOf(attributes['width']?.value), lengthOf(attributes['height']?.value)) ??
    (box.length === 4 ? sizeFrom(Number(box[2]), Number(box[3])) : undefined)
  )
}

function sizeFrom(width: number, height: number): Svg['size'] {
  return width > 0 && height > 0 && Number.isFinite(width * height) ? { width, height } : undefined
}

/** The unit of both is the same. A share of the page is no length. */
function lengthOf(value = ''): number {
  return value.trim().endsWith('%') ? 0 : Number.parseFloat(value)
}
