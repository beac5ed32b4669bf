import type { ReactNode } from 'react'

interface LiveRegionProps {
  /** Interrupts the screen reader. */
  urgent?: boolean
  children: ReactNode
}

/** Screen readers read new content out. It must be in the page before that, empty. */
export function LiveRegion({ urgent = false, children }: LiveRegionProps) {
  return (
    <div role={urgent ? 'alert' : 'status'} aria-atomic="false">
      {children}
    </div>
  )
}
