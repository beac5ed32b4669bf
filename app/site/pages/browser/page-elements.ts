/** An element that the build has put into the page. */
export function element(id: string): HTMLElement {
  return elementOf(id, HTMLElement)
}

export function elementOf<Type extends HTMLElement>(
  id: string,
  type: abstract new () => Type,
): Type {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new Error(`The page has no #${id} of the type ${type.name}`)
}

/** The words that travel with the page for its code: see app/site/pages/render-pages.tsx. */
export function pageWords(): unknown {
  return JSON.parse(element('words').textContent)
}

/** A new element. Text is never read as markup. */
export function make(tag: string, ...children: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  made.append(...children)
  return made
}
