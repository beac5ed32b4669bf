import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { AlertDiamond, Cross, TickedSquare } from './glyphs.tsx'

export interface Toast {
  tone: 'success' | 'error'
  title: string
  description: string
  /** Makes these words of the description a link. */
  link?: { words: string; href: string }
}

interface ShownToast extends Toast {
  key: number
}

const ShowToast = createContext<(toast: Toast | undefined) => void>(() => {})

/** Shows a toast in the place of the last one, or none. A success closes after a while, an error stays until it is dismissed. */
export const useShowToast = () => use(ShowToast)

const successStaysMs = 8000
const leavesMs = 120

/** Mounted once, around the app. Its live regions are in the page before they have content. */
export function Toaster(props: { children: ReactNode; regionName: string; dismissName: string }) {
  const { children, regionName, dismissName } = props
  const [toast, setToast] = useState<ShownToast>()
  const [paused, setPaused] = useState(false)
  const lastKey = useRef(0)
  const show = useCallback(
    (next: Toast | undefined) => setToast(next && { ...next, key: ++lastKey.current }),
    [],
  )
  function remove() {
    setToast((shown) => (shown === toast ? undefined : shown))
    setPaused(false) // no event is fired if the pointer was over the removed toast
  }
  const box = toast && (
    <ToastBox key={toast.key} toast={toast} paused={paused} dismissName={dismissName} remove={remove} />
  )
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

interface ToastBoxProps {
  toast: ShownToast
  paused: boolean
  dismissName: string
  remove: () => void
}

function ToastBox({ toast, paused, dismissName, remove }: ToastBoxProps) {
  const { tone, title } = toast
  const [leaving, setLeaving] = useState(false)
  const [opener] = useState(() => document.activeElement)
  const box = useRef<HTMLDivElement>(null)
  function leave() {
    setLeaving(true)
    setTimeout(() => {
      // After a dismissal by keyboard the focus returns to where it was.
      if (box.current?.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus()
      remove()
    }, leavesMs)
  }
  const leaveInTime = useEffectEvent(leave)
  const leftMs = useRef(successStaysMs)
  useEffect(() => {
    if (paused || tone === 'error') return
    const since = performance.now()
    const timer = setTimeout(leaveInTime, leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current -= performance.now() - since
    }
  }, [paused, tone])
  return (
    <div className={leaving ? 'toast leaving' : 'toast'} ref={box}>
      {tone === 'success' ? <TickedSquare /> : <AlertDiamond />}
      <div>
        <p className="toast-title">{title}</p>
        <p>
          <Linked {...toast} />
        </p>
      </div>
      <button className="dismiss" type="button" aria-label={dismissName} onClick={leave}>
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
