import type { Content } from '#content/content.ts'
import { type DescriptionOf, lines, list, text } from './describe.ts'

const mail = 'In the mail, from top to bottom.'

export const starterEmail: DescriptionOf<Content['starterEmail']> = {
  subject: text('Subject', 'Of the mail. The note on the page names it.', 78),
  preview: text('Preview', 'After the subject, before the mail is opened.', 120),
  heading: text('Heading', mail, 48),
  opening: lines('Opening', mail, 400),
  pageButton: text('Button to the personal page', mail, 40),
  scriptDescription: text('Script', mail, 48),
  scriptButton: text('Button of the script', mail, 30),
  guideDescription: text('Guide', mail, 48),
  guideButton: text('Button of the guide', mail, 30),
  personalPage: lines('What the personal page has', mail, 200, { needs: ['yourPage'] }),
  yourPage: text('Link to the personal page', mail, 40),
  announcements: lines('Other mail', mail, 160),
  stepsHeading: text('Heading of the steps', mail, 48),
  steps: list('Steps', mail, { min: 1, max: 10 }, lines('Step', mail, 160)),
  news: lines('Asks for consent', mail, 160, { needs: ['newsLink'] }),
  newsLink: text('Link to give consent', mail, 40),
  help: lines('Help', mail, 200),
  risk: lines('Risk', mail, 400),
  reason: lines('Why they get it', 'At the foot of the mail.', 240, {
    needs: ['address', 'unsubscribe'],
  }),
  unsubscribe: text('Link to unsubscribe', 'At the foot of the mail.', 40),
  notAskedLink: text('Link for others', 'At the foot of the mail.', 48),
}

const news = 'In the mail about a new version.'

export const announcement: DescriptionOf<Content['announcement']> = {
  subject: text('Subject', news, 78, { needs: ['version'] }),
  preview: text('Preview', 'After the subject, before the mail is opened.', 120),
  heading: text('Heading', news, 48),
  changes: text('Before the changes', news, 60),
  button: text('Button', news, 40),
  reason: reasons(news),
  end: text('Link to end it', news, 48),
}

const around = 'Around a letter to the list.'

export const letter: DescriptionOf<Content['letter']> = {
  tag: text('Plate', 'On the dark plate at the right edge.', 10),
  reason: reasons(around),
  end: text('Link to end it', around, 48),
}

function reasons(where: string) {
  const needs = { needs: ['address'] }
  return {
    consented: lines('Why they get it, if they asked for news', where, 200, needs),
    everyone: lines('Why they get it, if everyone gets it', where, 200, needs),
  }
}

const offered = 'On the personal page after the files, and as one line in the mail.'

export const offer: DescriptionOf<NonNullable<Content['offer']>> = {
  title: text('Title', offered, 60, { optional: true }),
  text: lines('Text', offered, 300, { optional: true }),
  linkText: text('Words of the link', offered, 48, { optional: true }),
  url: { kind: 'link', label: 'Link', where: offered, room: 500, optional: true },
}
