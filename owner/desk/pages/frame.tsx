import { type ReactNode, useSyncExternalStore } from 'react'
import { Link, NavLink } from 'react-router'
import { brand } from '#content/brand.ts'
import { SignedOutDialog } from './act-dialog.tsx'
import { hasCode, isOfServer, queries, useDesk, useToday } from './api.ts'
import { timeOf } from './format.ts'
import { Glyph } from './parts.tsx'
import { troublesOf } from './troubles.ts'

const views = { '': 'Today', people: 'People', mail: 'Mail', announce: 'Announce', 'check-up': 'Check-up' }
const badges = { well: 'Well', 'needs-you': 'Needs you', 'out-of-date': 'Out of date' }

/** The header and the line of state that stand above every view. */
export function Frame({ children }: { children: ReactNode }) {
  const { data: today } = useToday()
  const { data: checkUp } = useDesk('GET check-up', {})
  const findings = checkUp?.sections.flatMap((section) => section.findings) ?? []
  const needed = new Set<string>(today && troublesOf(today).map(({ view }) => view))
  if (findings.some(({ state }) => state === 'wrong')) needed.add('check-up')
  return (
    <div className="sheet desk">
      <a className="skip" href="#view">
        To the view
      </a>
      <Masthead>
        <nav className="views" aria-label="Views">
          {Object.entries(views).map(([view, name]) => (
            <NavLink key={view} to={`/${view}`} end={view === ''}>
              {name}
              {needed.has(view) && (
                <>
                  <Glyph of="wrong" />
                  <span className="unseen"> needs you</span>
                </>
              )}
            </NavLink>
          ))}
        </nav>
        <NavLink className="you-link" to="/you">
          You
        </NavLink>
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
      <Link className="brand" to="/">
        <svg viewBox="0 0 30 20" width="30" height="20" aria-hidden="true">
          <path className="slow-line" d="M1 5c10 0 15 9 28 9" />
          <path className="fast-line" d="M1 18C14 18 16 2 29 2" />
        </svg>
        <span>
          {brand.name} <span className="desk-word">desk</span>
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
      <Link className="badge" to="/">
        <Glyph of={state === 'well' ? 'ok' : 'wrong'} />
        {/* React Aria hides everything else while a dialog is open; shown again, it would be read again. */}
        <span aria-live={state === 'well' ? 'polite' : 'assertive'} data-live-announcer>
          <span className="unseen">State: </span>
          {at === 0 ? '–' : badges[state]}
        </span>
      </Link>
      <span className={isSlow ? 'dashes loading' : 'dashes'} />
      <span className="tag">
        <span className="unseen">As of </span>
        {at === 0 ? '–' : timeOf(at)}
      </span>
    </div>
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
  const seen = queries.getQueryCache().findAll({ type: 'active', predicate: isOfServer })
  const times = seen.map(({ state }) => state.dataUpdatedAt).filter((at) => at > 0)
  return JSON.stringify({
    isStale: seen.some(({ state }) => state.status === 'error' && !hasCode(state.error, 'not-found')),
    isSlow: seen.some(({ state }) => state.status === 'pending'),
    at: times.length > 0 ? Math.min(...times) : 0,
  })
}
