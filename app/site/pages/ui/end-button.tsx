import type { ReactNode } from 'react'
import './button.css'
import './end-button.css'

/** Submits what ends something. */
export function EndButton({ children }: { children: ReactNode }) {
  return (
    <button className="button end-button" type="submit">
      {children}
    </button>
  )
}
