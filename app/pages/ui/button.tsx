import type { ReactNode } from 'react'

/** While it is busy it is disabled, and a line runs along its base. */
export function SubmitButton({ children, busy = false }: { children: ReactNode; busy?: boolean }) {
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
