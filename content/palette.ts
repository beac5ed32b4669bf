/**
 * The design's names for colours. `fast` and `slow` are the two averages, `up` an entry or success,
 * `down` an exit or error.
 */
export type Colour = 'paper' | 'ink' | 'ink2' | 'rule' | 'fast' | 'slow' | 'up' | 'down'
export type Colours = Readonly<Record<Colour, string>>

/** The colours of pages, mail, guide and pictures. */
export interface Palette {
  readonly light: Colours
  readonly dark: Colours
  /**
   * The dark band at the end of the page has the dark colours but for these. On a light page its
   * paper is the light ink.
   */
  readonly closingBand: { readonly rule: string; readonly paperOnDark: string }
}

// A test holds the contrast of each colour against its paper.
export const palette: Palette = {
  light: {
    paper: '#f6f7f3',
    ink: '#14191b',
    ink2: '#4c5659',
    rule: '#d3d9d2',
    fast: '#c2370a',
    slow: '#1f4f9c',
    up: '#08633c',
    down: '#8e1a72',
  },
  dark: {
    paper: '#101517',
    ink: '#e8ebe5',
    ink2: '#a3aeac',
    rule: '#2b3436',
    fast: '#ff8b52',
    slow: '#82b1f7',
    up: '#5fe0a0',
    down: '#d58ecf',
  },
  closingBand: { rule: '#343e41', paperOnDark: '#1c2427' },
}
