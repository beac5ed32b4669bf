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

export function LinkButton({
  children,
  href,
  download,
}: {
  children: ReactNode
  href: string
  download?: boolean
}) {
  return (
    <a className="button" href={href} download={download}>
      {children}
    </a>
  )
}
