import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import { AlertDiamond, Cross, TickedSquare } from './glyphs.tsx'

export interface Toast {
  tone: 'success' | 'error'
  title: string
  description: string
  /** Makes these words of the description a link. */
  link?: { words: string; href: string }
}

const ShowToast = createContext<(toast: Toast | undefined) => void>(() => {})

/**
 * Shows a toast in the place of the last one, or none. A success closes after a while, an error
 * stays until it is dismissed.
 */
export const useShowToast = () => use(ShowToast)

const successStaysMs = 8000

/** Mounted once, around the app. Its live regions are in the page before they have content. */
export function Toaster(props: {
  words: { region: string; dismiss: string }
  children: ReactNode
}) {
  const { words, children } = props
  const [toast, setToast] = useState<Toast>()
  /** What had the focus before; after a dismissal by keyboard it gets it back. */
  const opener = useRef<Element>(null)
  const show = useCallback((next: Toast | undefined) => {
    opener.current = document.activeElement
    setToast(next)
  }, [])
  const close = useCallback((isDismissed: boolean) => {
    setToast(undefined)
    if (isDismissed && opener.current instanceof HTMLElement) {
      opener.current.focus({ preventScroll: true })
    }
  }, [])
  const box = toast && <ToastBox toast={toast} dismissName={words.dismiss} close={close} />
  return (
    <ShowToast value={show}>
      {children}
      <section className="toasts" aria-label={words.region}>
        <div role="status" aria-atomic="false">
          {toast?.tone === 'success' && box}
        </div>
        <div role="alert" aria-atomic="false">
          {toast?.tone === 'error' && box}
        </div>
      </section>
    </ShowToast>
  )
}

function ToastBox(props: {
  toast: Toast
  dismissName: string
  close: (isDismissed: boolean) => void
}) {
  const { toast, dismissName, close } = props
  const { tone, title } = toast
  /** Somebody is still reading while the pointer or the focus is on it. */
  const [isRead, setIsRead] = useState(false)
  useEffect(() => {
    if (isRead || tone === 'error') return
    const timer = setTimeout(() => close(false), successStaysMs)
    return () => clearTimeout(timer)
  }, [isRead, tone, close])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only to notice that somebody is still reading
    <div
      className="toast"
      onPointerEnter={() => setIsRead(true)}
      onPointerLeave={() => setIsRead(false)}
      onFocus={() => setIsRead(true)}
      onBlur={() => setIsRead(false)}
    >
      {tone === 'success' ? <TickedSquare /> : <AlertDiamond />}
      <div>
        <p className="toast-title">{title}</p>
        <p>
          <Linked {...toast} />
        </p>
      </div>
      <button
        className="dismiss"
        type="button"
        aria-label={dismissName}
        onClick={() => close(true)}
      >
        <Cross />
      </button>
    </div>
  )
}

/** The description, with its link. */
export function Linked({ description, link }: Pick<Toast, 'description' | 'link'>) {
  const [before, after] = link ? description.split(link.words) : []
  if (!link || after === undefined) return description
  return (
    <>
      {before}
      <a href={link.href}>{link.words}</a>
      {after}
    </>
  )
}
