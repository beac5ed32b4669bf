import type { ElementType, ReactNode } from 'react'
import { Fragment, jsx as jsxOfReact, jsxs as jsxsOfReact } from 'react/jsx-runtime'

export { Fragment }

type Jsx = typeof jsxOfReact

/** Their text cannot have elements in it. */
const textOnly = new Set<ElementType>(['option', 'style', 'text', 'textarea', 'title', 'tspan'])

/** No translator may change what is in them. */
const literal = new Set<ElementType>(['code', 'pre'])

/** Takes the place of React's function for an element with one child or none. */
export const jsx: Jsx = (type, props, key) => {
  return jsxOfReact(type, untranslated(type, props), key)
}

/**
 * Takes the place of React's function for an element with several children, in the bundle of the
 * desk: app/build/bundle/browser-code.ts. Each text gets an element of its own. A translator
 * replaces text nodes, and React cannot change, remove or insert before one that it does not find.
 */
export const jsxs: Jsx = (type, props, key) => {
  const { children } = props as { children: readonly ReactNode[] } // always, by its contract
  if (textOnly.has(type)) return jsxsOfReact(type, props, key)
  const wrapped = children.map((child) =>
    isText(child) ? jsx('span', { children: child }) : child,
  )
  return jsxsOfReact(type, { ...untranslated(type, props), children: wrapped }, key)
}

function untranslated(type: ElementType, props: unknown): object {
  const given = props as object // by the contract of both
  return literal.has(type) ? { translate: 'no', ...given } : given
}

/** White space between elements stays as it is: translators leave it alone. */
function isText(child: ReactNode): child is string | number {
  return typeof child === 'number' || (typeof child === 'string' && child.trim() !== '')
}
