import { brand } from '#content/brand.ts'

/** Mark and name; on the landing page also what it is about. */
export function Masthead({ withTagline = false }: { withTagline?: boolean }) {
  return (
    <header className="masthead">
      <a className="brand" href="/">
        <svg viewBox="0 0 30 20" width="30" height="20" aria-hidden="true">
          <path className="slow-line" d="M1 5c10 0 15 9 28 9" />
          <path className="fast-line" d="M1 18C14 18 16 2 29 2" />
        </svg>
        {brand.name}
      </a>
      {withTagline && <p className="tagline">{brand.tagline}</p>}
    </header>
  )
}
