import type { ReactNode } from 'react'

interface LiveRegionProps {
  /** Interrupts the screen reader. */
  urgent?: boolean
  /** Reads all of it at each change. */
  whole?: boolean
  /** Reads nothing for now. */
  silent?: boolean
  children: ReactNode
}

/** Screen readers read new content out. It must be in the page before that, empty. */
export function LiveRegion({ urgent = false, whole = false, silent = false, children }: LiveRegionProps) {
  return (
    <div role={urgent ? 'alert' : 'status'} aria-atomic={whole} aria-live={silent ? 'off' : undefined}>
      {children}
    </div>
  )
}
