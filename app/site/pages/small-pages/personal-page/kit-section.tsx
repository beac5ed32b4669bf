import type { ReactNode } from 'react'
import './kit-section.css'

interface KitSectionProps {
  /** The end of its address on the page. */
  id: string
  heading: string
  /** Beside the content where there is room, else above it. */
  lead?: ReactNode
  /** Below the lead where there is room, else below the content. */
  aside?: ReactNode
  children: ReactNode
}

export function KitSection({ id, heading, lead, aside, children }: KitSectionProps) {
  return (
    <section className="kit-section columns" aria-labelledby={id}>
      <div className="kit-lead">
        <h2 id={id}>{heading}</h2>
        {lead}
      </div>
      <div className="kit-body">{children}</div>
      {aside}
    </section>
  )
}
