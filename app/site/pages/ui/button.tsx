import type { ReactNode } from 'react'
import './button.css'

interface SubmitButtonProps {
  children: ReactNode
  /** While it is busy it is disabled, and a line runs along its base. */
  busy?: boolean
}

export function SubmitButton({ children, busy = false }: SubmitButtonProps) {
  return (
    <button className="button" type="submit" disabled={busy}>
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
