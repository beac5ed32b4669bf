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

/**
 * Screen readers read new content out. It must be in the page before that, empty. An empty element with the role `status` or
 * `alert` would be read out as "status bar", so it has none.
 */
export function LiveRegion({ urgent = false, whole = false, silent = false, children }: LiveRegionProps) {
  return (
    <div aria-live={silent ? 'off' : urgent ? 'assertive' : 'polite'} aria-atomic={whole || undefined}>
      {children}
    </div>
  )
}
