/**
 * The design's names for colours. `fast` and `slow` are the two averages, `up` an entry or success,
 * `down` an exit or error.
 */
export type Colour = 'paper' | 'ink' | 'ink2' | 'rule' | 'fast' | 'slow' | 'up' | 'down'
export type Palette = Readonly<Record<Colour, string>>

// The only colours of page, mail, guide and pictures. A test holds the contrast of each against its
// paper.

export const light: Palette = {
  paper: '#f6f7f3',
  ink: '#14191b',
  ink2: '#4c5659',
  rule: '#d3d9d2',
  fast: '#c2370a',
  slow: '#1f4f9c',
  up: '#08633c',
  down: '#8e1a72',
}

export const dark: Palette = {
  paper: '#101517',
  ink: '#e8ebe5',
  ink2: '#a3aeac',
  rule: '#2b3436',
  fast: '#ff8b52',
  slow: '#82b1f7',
  up: '#5fe0a0',
  down: '#d58ecf',
}

/** The dark band at the end of the page, on a light page and on a dark one. */
export const closingBand: { readonly light: Palette; readonly dark: Palette } = {
  light: { ...dark, paper: light.ink, rule: '#343e41' },
  dark: { ...dark, paper: '#1c2427', rule: '#343e41' },
}
