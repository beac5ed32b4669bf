import type { ReactNode } from 'react'
import './button.css'

/** While it is disabled a line runs along its base. */
export function SubmitButton({ children }: { children: ReactNode }) {
  return (
    <button className="button" type="submit">
      {children}
    </button>
  )
}

export function TextLink({ words, href }: { words: string; href: string }) {
  return (
    <a className="text-link" href={href}>
      {words}
    </a>
  )
}

export function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button className="text-button" type="button" onClick={onClick}>
      {children}
    </button>
  )
}
