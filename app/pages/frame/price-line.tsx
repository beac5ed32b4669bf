import type { ReactNode } from 'react'

/** A dashed line to a value on the axis, as a chart marks the last price. */
export function PriceLine({ tag, children }: { tag: string; children?: ReactNode }) {
  return (
    <div className="price-line">
      {children}
      <span className="dashes" />
      <span className="tag" aria-hidden="true">
        {tag}
      </span>
    </div>
  )
}
