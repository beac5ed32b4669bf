import { lines, part, text, valuesOf } from '../schema.ts'

export const notFoundTexts = part(
  { label: 'Not found', group: 'small-pages', where: 'The page for unknown addresses.' },
  {
    title: text('Page not found', {
      label: 'Title',
      where: 'On the tab of the browser. The page for unknown addresses.',
      room: 60,
    }),
    tag: text('404', { label: 'Label', where: 'At the right edge, white on dark.', room: 6 }),
    heading: text('404', { label: 'Heading', room: 48 }),
    message: text('Oops! Page not found', { label: 'Message', room: 60 }),
    text: lines('The line ends here: there is no page at this address.', {
      label: 'Text',
      room: 160,
      withOwn: { script: 'There is no page at this address.' },
    }),
    deadLink: lines(
      'Links from our mail never expire. If yours does not work, sign up again and you get a new one.',
      { label: 'At the address of a personal page that does not exist', room: 240 },
    ),
    homeLink: text('Return to Home', {
      label: 'Way home',
      where: 'On this page and every small one.',
      room: 30,
    }),
  },
)

export const notFound = valuesOf(notFoundTexts)
