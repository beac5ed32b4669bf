import { escapeHtml } from '#site/text/escape-html.ts'

/**
 * An element of a drawing as data: the server writes it as markup, and the browser, which may read
 * no markup, makes an element of it.
 */
export interface SvgElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly children: readonly (SvgElement | string)[]
}

export function svg(
  tag: string,
  attributes: SvgElement['attributes'],
  ...children: SvgElement['children']
): SvgElement {
  return { tag, attributes, children }
}

export function asMarkup(element: SvgElement | string): string {
  if (typeof element === 'string') return escapeHtml(element)
  const { tag, attributes, children } = element
  const pairs = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
  const start = `<${tag}${pairs.join('')}`
  return children.length === 0
    ? `${start}/>`
    : `${start}>${children.map(asMarkup).join('')}</${tag}>`
}
