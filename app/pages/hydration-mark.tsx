import { useEffect, type ReactNode } from 'react'

interface HydrationMarkProps {
  /** Once React has taken over all that is inside. */
  onHydrated: () => void
  children: ReactNode
}

export function HydrationMark({ onHydrated, children }: HydrationMarkProps) {
  useEffect(onHydrated, [onHydrated])
  return children
}
