import { createContext, use, useCallback, useRef, useState, type ReactNode } from 'react'
import { LiveRegion } from './live-region.tsx'
import { ToastBox, type Toast } from './toast-box.tsx'

const ShowToast = createContext<(toast: Toast) => void>(() => {})

/** Shows a toast. A success closes after a while, an error stays until it is dismissed. */
export const useShowToast = () => use(ShowToast)

/** On a narrow screen they stand above the form, so there is room for the newest alone. */
const maxToasts = () => (innerWidth < 720 ? 1 : 3)

/** Mounted once, around the app. Its live regions are in the page before they have content. */
export function Toaster(props: { children: ReactNode; regionName: string; dismissName: string }) {
  const { children, regionName, dismissName } = props
  const [toasts, setToasts] = useState<(Toast & { key: number })[]>([])
  const [paused, setPaused] = useState(false)
  const lastKey = useRef(0)
  const show = useCallback((toast: Toast) => {
    const shown = { ...toast, key: ++lastKey.current }
    setToasts((before) => [...before, shown].slice(-maxToasts()))
  }, [])
  const remove = useCallback((key: number) => {
    setToasts((before) => before.filter((toast) => toast.key !== key))
    setPaused(false) // no event is fired if the pointer was over the removed toast
  }, [])
  const boxes = (tone: Toast['tone']) =>
    toasts
      .filter((toast) => toast.tone === tone)
      .map((toast) => (
        <ToastBox
          key={toast.key}
          place={toast.key}
          toast={toast}
          paused={paused}
          dismissName={dismissName}
          onGone={() => remove(toast.key)}
        />
      ))
  return (
    <ShowToast value={show}>
      {children}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only to notice that somebody is still reading */}
      <section
        className="toasts"
        aria-label={regionName}
        onPointerEnter={() => setPaused(true)}
        onPointerLeave={() => setPaused(false)}
        onFocus={() => setPaused(true)}
        onBlur={() => setPaused(false)}
      >
        <LiveRegion>{boxes('success')}</LiveRegion>
        <LiveRegion urgent>{boxes('error')}</LiveRegion>
      </section>
    </ShowToast>
  )
}
