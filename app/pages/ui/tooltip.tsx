import { useEffect, type ReactNode } from 'react'

/**
 * Used once, by the app. A style sheet shows the tooltip of a term on hover and focus; Escape hides
 * it until the next one.
 */
export function useTooltips() {
  useEffect(() => {
    const { classList } = document.documentElement
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && classList.add('tips-hidden')
    const show = () => classList.remove('tips-hidden')
    const isOver = new AbortController()
    document.addEventListener('keydown', onKey, isOver)
    for (const event of ['pointerover', 'focusin']) document.addEventListener(event, show, isOver)
    return () => isOver.abort()
  }, [])
}

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
