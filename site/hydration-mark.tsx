import { useEffect, type ReactNode } from 'react'

/** Tells CSS, and whoever watches, that React has taken over: the rules that work without it step back. */
export function HydrationMark({ app, children }: { app: HTMLElement; children: ReactNode }) {
  useEffect(() => {
    app.dataset.hydrated = ''
  }, [app])
  return children
}
