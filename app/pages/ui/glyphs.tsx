// Small line drawings that repeat the words beside them.

export function TickedSquare() {
  return (
    <svg className="glyph glyph-success" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M2 2h18v18H2zM6.5 11l3.5 3.5 6-7" />
    </svg>
  )
}

/** As long as it is not known. */
export function HalfSquare() {
  return (
    <svg className="glyph soft" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M13 2H2v18h18v-7" />
    </svg>
  )
}

export function AlertDiamond() {
  return (
    <svg className="glyph glyph-error" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M11 1 21 11 11 21 1 11zM11 6.5V12M11 14v2" />
    </svg>
  )
}

export function Diamond() {
  return (
    <svg className="glyph" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M11 1 21 11 11 21 1 11z" />
    </svg>
  )
}

export function Cross() {
  return (
    <svg className="glyph" viewBox="0 0 22 22" aria-hidden="true">
      <path d="m5 5 12 12M17 5 5 17" />
    </svg>
  )
}
