import type { SvgElement } from '#site/chart/svg.ts'

/** A drawing in the page, with what it was made from. */
export interface Drawing {
  readonly node: SVGElement
  readonly from: SvgElement
}

/** The page takes no markup from scripts (Trusted Types). */
export function draw(from: SvgElement): Drawing {
  return { node: asNode(from), from }
}

function asNode({ tag, attributes, children }: SvgElement): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value))
  made.append(...children.map((child) => (typeof child === 'string' ? child : asNode(child))))
  return made
}

/**
 * Changes only what differs: most of a chart stays, and a slow phone lays out as little as it can.
 */
export function redraw({ node, from }: Drawing, to: SvgElement): Drawing {
  change(node, from, to)
  return { node, from: to }
}

function change(node: Element, from: SvgElement, to: SvgElement): void {
  for (const [name, value] of Object.entries(to.attributes)) {
    if (from.attributes[name] !== value) node.setAttribute(name, String(value))
  }
  for (const name of Object.keys(from.attributes)) {
    if (!(name in to.attributes)) node.removeAttribute(name)
  }
  const nodes = [...node.childNodes]
  for (const gone of nodes.slice(to.children.length)) gone.remove()
  for (const [index, child] of to.children.entries()) {
    const [old, before] = [nodes[index], from.children[index]]
    if (typeof child === 'string') {
      if (child !== before) node.textContent = child // a text stands alone in its element
    } else if (old instanceof Element && typeof before === 'object' && before.tag === child.tag) {
      change(old, before, child)
    } else {
      node.insertBefore(asNode(child), old ?? null)
      old?.remove()
    }
  }
}
