import { useEffect, useRef, useState } from 'react'
import { AlertDiamond, Cross, TickedSquare } from './glyphs.tsx'

export interface Toast {
  tone: 'success' | 'error'
  title: string
  description: string
  /** Makes these words of the description a link. */
  link?: { words: string; href: string }
}

const successStaysMs = 8000
const leavesMs = 120

interface ToastBoxProps {
  toast: Toast
  /** The order on the screen, across both live regions: newest lowest. */
  place: number
  paused: boolean
  dismissName: string
  onGone: () => void
}

export function ToastBox({ toast, place, paused, dismissName, onGone }: ToastBoxProps) {
  const [leaving, setLeaving] = useState(false)
  const [opener] = useState(() => document.activeElement)
  const box = useRef<HTMLDivElement>(null)
  const leave = () => setLeaving(true)
  useTimer(!paused && !leaving && toast.tone === 'success', successStaysMs, leave)
  useTimer(leaving, leavesMs, () => {
    // After a dismissal by keyboard the focus returns to where it was.
    if (box.current?.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus()
    onGone()
  })
  return (
    <div className={leaving ? 'toast leaving' : 'toast'} style={{ order: place }} ref={box}>
      {toast.tone === 'success' ? <TickedSquare /> : <AlertDiamond />}
      <div>
        <p className="toast-title">{toast.title}</p>
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

/** Calls once `runs` has been true for `ms` in all; a pause does not reset the time. */
function useTimer(runs: boolean, ms: number, call: () => void) {
  const leftMs = useRef(ms)
  const latest = useRef(call)
  useEffect(() => {
    latest.current = call
  })
  useEffect(() => {
    if (!runs) return
    const since = performance.now()
    const timer = setTimeout(() => latest.current(), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current -= performance.now() - since
    }
  }, [runs])
}
