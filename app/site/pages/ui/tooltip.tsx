import type { ReactNode } from 'react'
import './tooltip.css'

/** A term with an explanation. */
export function Tooltip({ id, term, children }: { id: string; term: string; children: ReactNode }) {
  return (
    <span className="tip-anchor">
      {/* A tap focuses the button, except in Safari, where it counts as a hover. */}
      <button className="term" type="button" aria-describedby={id}>
        {term}
      </button>
      <span className="tip" role="tooltip" id={id}>
        {children}
      </span>
    </span>
  )
}
