/** How a shape is painted; `chart-paint.ts` has the colours and weights of each. */
export type PathRole =
  | 'rule'
  | 'wick'
  | 'hollow'
  | 'solid'
  | 'slow'
  | 'fast'
  | 'up'
  | 'down'
  | 'tag-slow'
  | 'tag-fast'
  | 'tag-ink'
  | 'leader'
  | 'stop'

export type TextRole = 'value' | 'mark' | 'note' | 'tag'

/** Coordinates in chart units: 1 px on the page at full size, y downwards. `d` is an SVG path. */
export type Shape =
  | { readonly kind: 'path'; readonly role: PathRole; readonly d: string }
  | {
      readonly kind: 'text'
      readonly role: TextRole
      readonly x: number
      readonly y: number
      readonly anchor: 'start' | 'middle'
      readonly text: string
    }
