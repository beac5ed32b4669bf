import type { ElementType, ReactNode } from 'react'
import { Fragment, jsx, jsxs as jsxsOfReact } from 'react/jsx-runtime'

export { Fragment, jsx }

type Jsxs = typeof jsxsOfReact

/** Their text cannot have elements in it. */
const textOnly = new Set<ElementType>(['option', 'style', 'text', 'textarea', 'title', 'tspan'])

/**
 * Takes the place of React's function for an element with several children, in the bundle of the
 * desk: app/build/bundle/browser-code.ts. Each text gets an element of its own. A translator
 * replaces text nodes, and React cannot change, remove or insert before one that it does not find.
 */
export const jsxs: Jsxs = (type, props, key) => {
  const { children } = props as { children: readonly ReactNode[] } // always, by its contract
  if (textOnly.has(type)) return jsxsOfReact(type, props, key)
  const wrapped = children.map((child) =>
    isText(child) ? jsx('span', { children: child }) : child,
  )
  return jsxsOfReact(type, { ...(props as object), children: wrapped }, key)
}

/** White space between elements stays as it is: translators leave it alone. */
function isText(child: ReactNode): child is string | number {
  return typeof child === 'number' || (typeof child === 'string' && child.trim() !== '')
}
