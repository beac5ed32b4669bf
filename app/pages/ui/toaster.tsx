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
  /** Also the order on the screen, across both live regions: newest lowest. */
  key: number
}

const ShowToast = createContext<(toast: Toast) => void>(() => {})

/** Shows a toast. A success closes after a while, an error stays until it is dismissed. */
export const useShowToast = () => use(ShowToast)

const successStaysMs = 8000
const leavesMs = 120

/** On a narrow screen they stand above the form, so there is room for the newest alone. */
const maxToasts = () => (innerWidth < 720 ? 1 : 3)

/** Mounted once, around the app. Its live regions are in the page before they have content. */
export function Toaster(props: { children: ReactNode; regionName: string; dismissName: string }) {
  const { children, regionName, dismissName } = props
  const [toasts, setToasts] = useState<ShownToast[]>([])
  const [paused, setPaused] = useState(false)
  const lastKey = useRef(0)
  const show = useCallback((toast: Toast) => {
    const shown = { ...toast, key: ++lastKey.current }
    setToasts((before) => [...before, shown].slice(-maxToasts()))
  }, [])
  function remove(gone: ShownToast) {
    setToasts((before) => before.filter((toast) => toast !== gone))
    setPaused(false) // no event is fired if the pointer was over the removed toast
  }
  const boxes = (tone: Toast['tone']) =>
    toasts
      .filter((toast) => toast.tone === tone)
      .map((toast) => (
        <ToastBox key={toast.key} toast={toast} paused={paused} dismissName={dismissName} remove={remove} />
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
        <div role="status" aria-atomic="false">
          {boxes('success')}
        </div>
        <div role="alert" aria-atomic="false">
          {boxes('error')}
        </div>
      </section>
    </ShowToast>
  )
}

interface ToastBoxProps {
  toast: ShownToast
  paused: boolean
  dismissName: string
  remove: (toast: ShownToast) => void
}

function ToastBox({ toast, paused, dismissName, remove }: ToastBoxProps) {
  const { key, tone, title } = toast
  const [leaving, setLeaving] = useState(false)
  const [opener] = useState(() => document.activeElement)
  const box = useRef<HTMLDivElement>(null)
  function leave() {
    setLeaving(true)
    setTimeout(() => {
      // After a dismissal by keyboard the focus returns to where it was.
      if (box.current?.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus()
      remove(toast)
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
    <div className={leaving ? 'toast leaving' : 'toast'} style={{ order: key }} ref={box}>
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
