import { colour, part, valuesOf } from './schema.ts'

/**
 * The design's names for colours. `fast` and `slow` are the two averages, `up` an entry or success,
 * `down` an exit or error. The bottom section of the page has the dark colours but for its own.
 */
export const paletteColours = {
  light: part(
    { label: 'Light', group: 'colours' },
    {
      paper: colour('#f6f7f3', {
        label: 'Background, light',
        where: 'The background, on a light screen.',
      }),
      ink: colour('#14191b', {
        label: 'Text, light',
        where: 'Headings and texts, on a light screen.',
      }),
      ink2: colour('#4c5659', {
        label: 'Secondary text, light',
        where: 'Labels and small texts, on a light screen.',
      }),
      rule: colour('#d3d9d2', {
        label: 'Lines, light',
        where: 'The lines between parts, on a light screen.',
      }),
      fast: colour('#c2370a', {
        label: 'Accent 1, light',
        where: 'The fast average and the marks beside it, on a light screen.',
      }),
      slow: colour('#1f4f9c', {
        label: 'Accent 2, light',
        where: 'The slow average, and the frame of what is chosen, on a light screen.',
      }),
      up: colour('#08633c', {
        label: 'Entry, light',
        where: 'Entries and what went well, on a light screen.',
      }),
      down: colour('#8e1a72', {
        label: 'Exit, light',
        where: 'Exits and faults, on a light screen.',
      }),
    },
  ),
  dark: part(
    { label: 'Dark', group: 'colours' },
    {
      paper: colour('#101517', {
        label: 'Background, dark',
        where: 'The background, on a dark screen.',
      }),
      ink: colour('#e8ebe5', {
        label: 'Text, dark',
        where: 'Headings and texts, on a dark screen.',
      }),
      ink2: colour('#a3aeac', {
        label: 'Secondary text, dark',
        where: 'Labels and small texts, on a dark screen.',
      }),
      rule: colour('#2b3436', {
        label: 'Lines, dark',
        where: 'The lines between parts, on a dark screen.',
      }),
      fast: colour('#ff8b52', {
        label: 'Accent 1, dark',
        where: 'The fast average and the marks beside it, on a dark screen.',
      }),
      slow: colour('#82b1f7', {
        label: 'Accent 2, dark',
        where: 'The slow average, and the frame of what is chosen, on a dark screen.',
      }),
      up: colour('#5fe0a0', {
        label: 'Entry, dark',
        where: 'Entries and what went well, on a dark screen.',
      }),
      down: colour('#d58ecf', {
        label: 'Exit, dark',
        where: 'Exits and faults, on a dark screen.',
      }),
    },
  ),
  closingBand: part(
    { label: 'Bottom section', group: 'colours' },
    {
      rule: colour('#343e41', {
        label: 'Lines on the bottom section',
        where: 'The bottom of the page.',
      }),
      paperOnDark: colour('#1c2427', {
        label: 'Bottom section, dark',
        where: 'The end of the page on a dark screen.',
      }),
    },
  ),
}

export const palette = valuesOf(paletteColours)

export type Palette = typeof palette
export type Colours = Palette['light']
export type Colour = keyof Colours
