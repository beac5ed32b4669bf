import type { Content } from '#content/content.ts'
import type { Colours } from '#content/palette.ts'
import { type DescriptionOf, link, text, type TextDescription } from './describe.ts'

export const brand: DescriptionOf<Content['brand']> = {
  name: text('Name', 'At the top of every page, as sender of the mail, on the guide.', 40, {
    drawn: ['guide', 'sharePicture'],
  }),
  tagline: text('Tagline', 'Beside the name at the top of the page, where there is room.', 48),
  creatorName: text('Your name', 'Signs the note on the page and the mail.', 48),
  postalAddress: text(
    'Postal address',
    'At the foot of every mail; the law asks for a real one.',
    160,
  ),
  privacyUrl: link(
    'Privacy notice of your own',
    'At the foot of every page and mail. Empty: the one that comes with the site.',
    { optional: true },
  ),
  imprintUrl: link('Imprint', 'At the foot of every page and mail. Empty: no link.', {
    optional: true,
  }),
  language: text(
    'Language',
    'Of your texts, as a tag such as fr or pt-BR. Screen readers choose their voice by it.',
    35,
  ),
  copyrightYear: {
    kind: 'number',
    label: 'Year',
    where: 'Beside the © at the foot of every page and mail.',
    from: 1900,
    to: 2100,
  },
}

export const palette: DescriptionOf<Content['palette']> = {
  light: colours('light'),
  dark: colours('dark'),
  closingBand: {
    rule: colour('Lines on the dark band', 'The dark end of the page.'),
    paperOnDark: colour('Dark band, dark', 'The end of the page on a dark screen.'),
  },
}

function colours(scheme: 'light' | 'dark'): Record<keyof Colours, TextDescription> {
  const where = (what: string) => `${what}, on a ${scheme} screen.`
  return {
    paper: colour(`Paper, ${scheme}`, where('The background')),
    ink: colour(`Ink, ${scheme}`, where('Headings and texts')),
    ink2: colour(`Soft ink, ${scheme}`, where('Labels and small texts')),
    rule: colour(`Lines, ${scheme}`, where('The lines between parts')),
    fast: colour(`Fast, ${scheme}`, where('The fast average and the marks beside it')),
    slow: colour(`Slow, ${scheme}`, where('The slow average, and the frame of what is chosen')),
    up: colour(`Entry, ${scheme}`, where('Entries and what went well')),
    down: colour(`Exit, ${scheme}`, where('Exits and faults')),
  }
}

function colour(label: string, where: string): TextDescription {
  return { kind: 'colour', label, where }
}
