import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { AlertDiamond, Cross, TickedSquare } from './glyphs.tsx'
import './toaster.css'

export interface Toast {
  tone: 'success' | 'error'
  title: string
  description: ReactNode
}

interface ShownToast extends Toast {
  /** Each has its own time to close. */
  id: number
  /** The element that had the focus before; after a dismissal it gets it back. */
  opener: Element | null
}

/** Shows a toast in the place of the last one, or none. */
export type ShowToast = (toast: Toast | undefined, opener?: Element | null) => void

/** The toast of a page, which forms show and the toaster renders. */
export interface Toasts {
  /** A success closes after a while, an error stays until it is dismissed. */
  show: ShowToast
  current: () => ShownToast | undefined
  /** Returns how to end it. */
  subscribe: (listener: () => void) => () => void
}

export function createToasts(): Toasts {
  const listeners = new Set<() => void>()
  let shown: ShownToast | undefined
  let id = 0
  return {
    show(toast, opener = null) {
      id += 1
      shown = toast && { ...toast, opener, id }
      for (const listener of listeners) listener()
    },
    current: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const successStaysMs = 8000

interface ToasterProps {
  toasts: Toasts
  words: { region: string; dismiss: string }
}

/** Stands once in a page. Its live regions are there before they have content. */
export function Toaster({ toasts, words }: ToasterProps) {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current, noToast)
  const close = useCallback(
    (isDismissed: boolean) => {
      const opener = toasts.current()?.opener
      toasts.show(undefined)
      if (isDismissed && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    },
    [toasts],
  )
  const box = toast && (
    <ToastBox key={toast.id} toast={toast} dismissName={words.dismiss} close={close} />
  )
  return (
    <section className="toasts" aria-label={words.region}>
      <div role="status" aria-atomic="false">
        {toast?.tone === 'success' && box}
      </div>
      <div role="alert" aria-atomic="false">
        {toast?.tone === 'error' && box}
      </div>
    </section>
  )
}

function noToast(): undefined {}

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
        <p>{toast.description}</p>
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
