// Small line drawings that repeat the words beside them.

export const TickedSquare = () => drawing('glyph up', 'M2 2h18v18H2zM6.5 11l3.5 3.5 6-7')
/** Marks an outcome that is not known yet. */
export const HalfSquare = () => drawing('glyph soft', 'M13 2H2v18h18v-7')
export const AlertDiamond = () => drawing('glyph down', 'M11 1 21 11 11 21 1 11zM11 6.5V12M11 14v2')
export const Cross = () => drawing('glyph', 'm5 5 12 12M17 5 5 17')

function drawing(className: string, lines: string) {
  return (
    <svg className={className} viewBox="0 0 22 22" aria-hidden="true">
      <path d={lines} />
    </svg>
  )
}
