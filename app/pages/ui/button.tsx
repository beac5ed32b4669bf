import type { ReactNode, Ref } from 'react'

interface ButtonProps {
  children: ReactNode
  /** Disables the button; a line runs along its base. */
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function SubmitButton({ children, busy = false, ref }: ButtonProps) {
  return (
    <button className="button" type="submit" disabled={busy} ref={ref}>
      {children}
    </button>
  )
}

export function LinkButton({ children, href }: { children: ReactNode; href: string }) {
  return (
    <a className="button" href={href}>
      {children}
    </a>
  )
}

interface WaitingButtonProps {
  id: string
  /** The second button of a section. */
  outlined?: boolean
  children: ReactNode
}

/** Waits for the script of the page, which enables it. A press before that would do nothing. */
export function WaitingButton({ id, outlined = false, children }: WaitingButtonProps) {
  return (
    <button
      className={outlined ? 'button waiting outlined' : 'button waiting'}
      type="button"
      id={id}
      disabled
    >
      {children}
    </button>
  )
}
