import { type ReactNode, useSyncExternalStore } from 'react'
import { brand } from '#content/brand.ts'
import { SignedOutDialog } from './acts.tsx'
import { hasCode, queries, useToday } from './api.ts'
import { timeOf } from './format.ts'
import { Link, usePath } from './location.tsx'
import { Glyph, pending } from './parts.tsx'
import { troublesOf } from './troubles.ts'

const views = { '': 'Today', people: 'People', mail: 'Mail', announce: 'Announce', 'check-up': 'Check-up' }
const badges = { well: 'Well', 'needs-you': 'Needs you', 'out-of-date': 'Out of date' }

/** The header and the line of state that stand above every view. */
export function Frame({ children }: { children: ReactNode }) {
  const [current] = usePath().split('/')
  const { data: today } = useToday()
  const needed = new Set<string>(today && troublesOf(today).map(({ view }) => view))
  const currentIf = (view: string) => (view === current ? { 'aria-current': 'page' as const } : {})
  return (
    <div className="sheet">
      <a className="skip" href="#view">
        To the view
      </a>
      <Masthead>
        <nav className="views" aria-label="Views">
          {Object.entries(views).map(([view, name]) => (
            <Link key={view} to={view} {...currentIf(view)}>
              {name}
              {needed.has(view) && (
                <>
                  <Glyph of="wrong" />
                  <span className="unseen"> needs you</span>
                </>
              )}
            </Link>
          ))}
        </nav>
        <Link className="you-link" to="you" {...currentIf('you')}>
          You
        </Link>
      </Masthead>
      <main id="view">
        <StateLine needsYou={needed.size > 0} />
        {children}
      </main>
      <SignedOutDialog />
    </div>
  )
}

export function Masthead({ children }: { children?: ReactNode }) {
  return (
    <header className="masthead">
      <Link className="brand" to="">
        <svg viewBox="0 0 30 20" width="30" height="20" aria-hidden="true">
          <path className="slow-line" d="M1 5c10 0 15 9 28 9" />
          <path className="fast-line" d="M1 18C14 18 16 2 29 2" />
        </svg>
        <span>
          {brand.name} <span className="soft">desk</span>
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
    <div className={state === 'well' ? 'price-line' : 'price-line needs-you'}>
      <Link className="badge" to="">
        <Glyph of={state === 'well' ? 'ok' : 'wrong'} />
        <span aria-live={state === 'well' ? 'polite' : 'assertive'}>
          <span className="unseen">State: </span>
          {at === 0 ? pending : badges[state]}
        </span>
      </Link>
      <span className={isSlow ? 'dashes loading' : 'dashes'} />
      <Tag label="As of">{at === 0 ? pending : timeOf(at)}</Tag>
    </div>
  )
}

/** At the end of the line of state, on the axis. */
export function Tag({ label, children }: { label?: string; children: string }) {
  return (
    <span className="tag">
      {label !== undefined && <span className="unseen">{label} </span>}
      {children}
    </span>
  )
}

/** Describes the figures on the screen; the oldest of them counts. */
function useFreshness(): { isStale: boolean; at: number; isSlow: boolean } {
  return JSON.parse(useSyncExternalStore(listenToQueries, describeFreshness))
}

function listenToQueries(notify: () => void): () => void {
  return queries.getQueryCache().subscribe(() => queueMicrotask(notify))
}

function describeFreshness(): string {
  const seen = queries.getQueryCache().findAll({ type: 'active' })
  const times = seen.filter(({ meta }) => !meta?.['isKept']).map(({ state }) => state.dataUpdatedAt)
  const known = times.filter((at) => at > 0)
  return JSON.stringify({
    isStale: seen.some(({ state }) => state.status === 'error' && !hasCode(state.error, 'NOT_FOUND')),
    isSlow: seen.some(({ state }) => state.status === 'pending'),
    at: known.length > 0 ? Math.min(...known) : 0,
  })
}
