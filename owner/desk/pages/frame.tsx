import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link, NavLink } from 'react-router'
import { brand } from '#content/brand.ts'
import { deskText } from '#content/desk.ts'

import { isFault, isOfServer, queries, useDesk } from './api.ts'
import { SignedOutDialog } from './act-dialog.tsx'
import { timeOf } from './format.ts'
import { Button, Glyph, useRemembered } from './parts.tsx'
import { type Trouble, troublesOf } from './troubles.ts'

const { views } = deskText
const links: { to: string; words: string; view: Trouble['view'] | undefined }[] = [
  { to: '/', words: views.today, view: undefined },
  { to: '/people', words: views.people, view: undefined },
  { to: '/mail', words: views.mail, view: 'mail' },
  { to: '/announce', words: views.announce, view: 'announce' },
  { to: '/check-up', words: views.checkUp, view: 'check-up' },
]

/** `7`, `28`, `90` or `365` days, of Today's figures. */
export const usePeriod = () => useRemembered<keyof typeof deskText.today.periods>('period', 28)

/** The header and the line of state that stand above every view. */
export function Frame({ children }: { children: ReactNode }) {
  const [days] = usePeriod()
  const { data: today } = useDesk('GET today', { days })
  const { data: checkUp } = useDesk('GET check-up', {})
  const troubles = today ? troublesOf(today) : []
  const isWrong = checkUp?.sections.some(({ findings }) => findings.some(({ state }) => state === 'wrong'))
  const needed = (view: string | undefined) =>
    troubles.some((trouble) => trouble.view === view) || (view === 'check-up' && isWrong === true)
  const needsYou = troubles.length > 0 || isWrong === true
  return (
    <div className="sheet desk">
      <a className="skip" href="#view">
        {deskText.skip}
      </a>
      <Masthead>
        <nav className="views" aria-label={deskText.viewsName}>
          {links.map(({ to, words, view }) => (
            <NavLink key={to} to={to} end={to === '/'}>
              {words}
              {needed(view) && <NeedsYou />}
            </NavLink>
          ))}
        </nav>
        <NavLink className="you-link" to="/you">
          {views.you}
        </NavLink>
      </Masthead>
      <main id="view">
        <StateLine needsYou={needsYou} />
        {children}
      </main>
      <SignedOutDialog />
    </div>
  )
}

function NeedsYou() {
  return (
    <>
      <Glyph of="wrong" />
      <span className="unseen"> {deskText.needsYou}</span>
    </>
  )
}

export function Masthead({ children }: { children?: ReactNode }) {
  return (
    <header className="masthead">
      <Link className="brand" to="/">
        <svg viewBox="0 0 30 20" width="30" height="20" aria-hidden="true">
          <path className="slow-line" d="M1 5c10 0 15 9 28 9" />
          <path className="fast-line" d="M1 18C14 18 16 2 29 2" />
        </svg>
        <span>
          {brand.name} <span className="desk-word">{deskText.name}</span>
        </span>
      </Link>
      {children}
    </header>
  )
}

/** The state of the product, and the time of what is seen. */
function StateLine({ needsYou }: { needsYou: boolean }) {
  const { isStale, at, isSlow } = useFreshness()
  const state = isStale ? 'out-of-date' : needsYou ? 'needs-you' : 'well'
  return (
    <div className={`price-line state-${state}`}>
      <Link className="badge" to="/">
        <Glyph of={state === 'well' ? 'ok' : 'wrong'} />
        <span role={state === 'well' ? 'status' : 'alert'}>{at === 0 ? '–' : deskText.badge[state]}</span>
      </Link>
      <span className={isSlow ? 'dashes loading' : 'dashes'} />
      <span className="tag">{at === 0 ? '–' : timeOf(at)}</span>
    </div>
  )
}

/** Describes the figures on the screen; the oldest of them counts. */
function useFreshness(): { isStale: boolean; at: number; isSlow: boolean } {
  const cache = queries.getQueryCache()
  const subscribe = useCallback((note: () => void) => cache.subscribe(() => queueMicrotask(note)), [cache])
  const read = () => {
    const seen = cache.getAll().filter((query) => query.isActive() && isOfServer(query))
    const times = seen.map(({ state }) => state.dataUpdatedAt).filter((at) => at > 0)
    const isStale = seen.some(({ state }) => state.status === 'error' && !isFault(state.error, 'not-found'))
    const isSlow = seen.some(({ state }) => state.status === 'pending')
    return JSON.stringify({ isStale, isSlow, at: times.length > 0 ? Math.min(...times) : 0 })
  }
  return JSON.parse(useSyncExternalStore(subscribe, read))
}

interface Toast {
  words: string
  /** Runs when the toast's time is over, unless the owner presses Undo. */
  act?: (() => unknown) | undefined
}

const waitsMs = 10_000
const staysMs = 6_000

const ShowToast = createContext<(toast: Toast) => void>(() => {})

/** Shows a toast. With `act`: does it after 10 s, and offers to undo it until then. */
export const useToast = () => use(ShowToast)

export function Toasts({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>()
  const pending = useRef<() => unknown>(undefined)
  const settle = useCallback(() => {
    void pending.current?.()
    pending.current = undefined
  }, [])
  const show = useCallback(
    (next: Toast) => {
      settle()
      pending.current = next.act
      setToast(next)
    },
    [settle],
  )
  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => (settle(), setToast(undefined)), toast.act ? waitsMs : staysMs)
    return () => clearTimeout(timer)
  }, [toast, settle])
  useEffect(() => {
    // A page that is left does at once what it was asked to do.
    addEventListener('pagehide', settle)
    return () => removeEventListener('pagehide', settle)
  }, [settle])
  const undo = () => {
    pending.current = undefined
    setToast({ words: deskText.undone })
  }
  return (
    <ShowToast value={show}>
      {children}
      <output className="toasts">
        {toast && (
          <div className="toast desk-toast">
            <Glyph of="ok" />
            <p className="toast-title">{toast.words}</p>
            {toast.act && (
              <Button kind="link" onPress={undo}>
                {deskText.undo}
              </Button>
            )}
          </div>
        )}
      </output>
    </ShowToast>
  )
}

/** Why nothing can be changed now; undefined: it can. */
export function useWriteBar(): string | undefined {
  const [days] = usePeriod()
  const { error } = useDesk('GET today', { days })
  return error && 'code' in error && error.code === 'database-away'
    ? deskText.databaseAway.noWrites
    : undefined
}
