import type { ReactNode } from 'react'

interface LiveRegionProps {
  /** Does not wait for a pause. */
  urgent?: boolean
  children: ReactNode
}

/** Read out when its content changes, and only what is new. Must be in the page before that, empty. */
export function LiveRegion({ urgent = false, children }: LiveRegionProps) {
  return (
    <div role={urgent ? 'alert' : 'status'} aria-atomic="false">
      {children}
    </div>
  )
}
