import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'

const opensAfterMs = 300
const closesAfterMs = 100

interface OpenTooltip {
  openId: string | undefined
  /** Undefined closes. A later call replaces one that still waits. */
  open: (id: string | undefined, afterMs?: number) => void
}

const Tooltips = createContext<OpenTooltip>({ openId: undefined, open: () => {} })

/** Mounted once, around the app: at most one tooltip is open, Escape or a press elsewhere closes it. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const [openId, setOpenId] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const open = useCallback((id: string | undefined, afterMs = 0) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpenId(id), afterMs)
  }, [])
  const tooltips = useMemo(() => ({ openId, open }), [openId, open])
  useEffect(() => {
    if (openId === undefined) return
    const close = (event: Event) => {
      const inside = event.target instanceof Element && event.target.closest('.tip-anchor')
      const closes = event instanceof KeyboardEvent ? event.key === 'Escape' : !inside
      if (closes) setOpenId(undefined)
    }
    const isOver = new AbortController()
    document.addEventListener('keydown', close, isOver)
    document.addEventListener('pointerdown', close, isOver)
    return () => isOver.abort()
  }, [openId])
  return <Tooltips value={tooltips}>{children}</Tooltips>
}

/** A term with an explanation. Until it is hydrated, CSS alone shows it on hover and focus. */
export function Tooltip({ id, term, children }: { id: string; term: string; children: ReactNode }) {
  const { openId, open } = use(Tooltips)
  return (
    <span
      className={openId === id ? 'tip-anchor open' : 'tip-anchor'}
      onPointerEnter={(event) => event.pointerType === 'mouse' && open(id, openId === id ? 0 : opensAfterMs)}
      onPointerLeave={(event) => {
        const focused = event.currentTarget.contains(document.activeElement)
        if (event.pointerType === 'mouse' && !focused) open(undefined, closesAfterMs)
      }}
    >
      <button
        className="term"
        type="button"
        aria-describedby={id}
        onFocus={() => open(id)}
        onBlur={() => open(undefined)}
        onClick={() => open(id)}
      >
        {term}
      </button>
      <span className="tip" role="tooltip" id={id}>
        {children}
      </span>
    </span>
  )
}
