import type { Content } from '#content/content.ts'
import { type DescriptionOf, lines, list, text } from './describe.ts'

const beforeOpening = 'In the place of the page until you open it.'
const unknown = 'The page for unknown addresses.'

export const notFound: DescriptionOf<Content['notFound']> = {
  title: text('Title', `On the tab of the browser. ${unknown}`, 60),
  tag: text('Plate', 'On the dark plate at the right edge.', 6),
  heading: text('Heading', unknown, 48),
  message: text('Message', unknown, 60),
  text: lines('Text', unknown, 160),
  deadLink: lines('At the address of a personal page that does not exist', unknown, 240),
  homeLink: text('Way home', 'On this page and every small one.', 30),
}

export const resultPages: DescriptionOf<Content['resultPages']> = {
  opensSoon: {
    heading: text('Heading', beforeOpening, 48),
    text: lines('Text', beforeOpening, 160),
  },
  sent: { note: lines('Note', 'After a sign-up without JavaScript.', 240) },
  alreadyOnList: {
    note: lines('Note', 'After a repeated sign-up without JavaScript.', 240),
  },
  announcements: question('Behind "No more news" in the mail.'),
  news: {
    heading: text('Heading', 'Behind the question of the mail.', 48),
    link: text('Link for no', 'Behind the question of the mail.', 48),
  },
  unsubscribe: question('Behind the unsubscribe link of the mail.'),
  unsubscribed: {
    ...done('After unsubscribing.'),
    button: text('Button', 'After unsubscribing: takes it back.', 40),
  },
  block: question('Behind "I did not ask for this" in the mail.'),
  blocked: {
    ...done('After blocking.'),
    button: text('Button', 'After blocking.', 40),
  },
  unblocked: done('After the block was lifted.'),
  erased: {
    ...done('After erasing.'),
    textWhenOverwritten: lines(
      'Text, with PostgreSQL or a large file',
      'After erasing, in the place of the text.',
      320,
    ),
  },
  elsewhere: done('After a form that was opened at another name of the site.'),
  invalid: {
    ...done('After an address that is none, without JavaScript.'),
    formName: text('Name of the form', 'Read out by screen readers.', 60, { hidden: true }),
  },
  slip: { text: lines('Text', 'After a likely slip, without JavaScript.', 160) },
  error: {
    formName: text('Name of the form', 'Read out by screen readers.', 60, { hidden: true }),
  },
}

const notice = 'The privacy notice, unless you link your own.'

export const privacy: DescriptionOf<Content['privacy']> = {
  heading: text('Heading', notice, 48),
  text: lines('Text', notice, 320),
  sections: list(
    'Sections',
    notice,
    { min: 1, max: 20 },
    { heading: text('Heading', notice, 60), text: lines('Text', notice, 900) },
  ),
  ownServer: text('Who sends the mail, if no other company does', notice, 60),
  others: {
    form: lines('If the form sends to another host', notice, 200, { needs: ['host'] }),
    program: lines('If a program is told of the list', notice, 240, { needs: ['host'] }),
    programForAll: lines('If a program is told every address', notice, 240, { needs: ['host'] }),
    none: text('If nobody else gets an address', notice, 80),
  },
  traces: {
    withinTheHour: lines('After an erasure, with a small SQLite file', notice, 160),
    overwritten: lines('After an erasure, with another database', notice, 160),
  },
}

function done(where: string) {
  return {
    heading: text('Heading', where, 48),
    text: lines('Text', where, 320),
  }
}

function question(where: string) {
  return {
    ...done(where),
    button: text('Button', where, 40),
    link: text('Link', where, 48),
  }
}
