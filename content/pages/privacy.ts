import { each, lines, list, part, text, valuesOf } from '../schema.ts'

const heading = 'What your browser keeps'
const sections = [
  {
    heading: 'Who we are',
    text: '{owner}, {postalAddress}. Questions go to {support}.',
  },
  {
    heading: 'What is stored',
    text: 'Your email address. When you signed up, with which form and in which language, and the campaign in the link that you came by, if it had one. What you agreed to, in the words that were on the screen. When each email to you went out, and what the mail server answered.',
  },
  {
    heading: 'Why',
    text: 'To send you the script and the guide, and to send them again when you ask. To send you news, only if you asked for it. To know who has left.',
  },
  {
    heading: 'What else is counted',
    text: 'How often the page was opened, how many people signed up and how many opened their own page, as numbers a day without names; they are deleted after three years. So that nobody uses the form to flood an inbox, a scrambled form of your network address is kept for about a day.',
  },
  {
    heading: 'If you open a test address',
    text: 'Your page can show what arrives at an address of your own. The last 20 messages are kept for that, with keys and licences covered. After 24 hours, or when you stop it, address and messages are deleted. Until you erase your entry it says how far you came: address opened, entry seen, exit seen.',
  },
  {
    heading: 'How long',
    text: 'Until you erase it. If you only unsubscribe, the entry stays, so that your page and its links go on working, but no more email comes.',
  },
  {
    heading: 'Who else sees it',
    text: 'Our email is sent by {mailService}, so your address passes through there. {others} No picture or link in our email tells us whether you read it.',
  },
  {
    heading: 'How to leave',
    text: 'Press “{unsubscribe}” in any email from us. If somebody else entered your address, press “{notAsked}” in that email: nothing more is sent to it.',
  },
  {
    heading: 'How to erase everything',
    text: 'Open your page by the link in our email and press “{erase}”. Your address and the record of our emails to you are deleted at once; {traces}. A backup made before that holds them until we delete it. Lost the link? Write to {support}.',
  },
  {
    heading: 'Your rights',
    text: 'You can ask us what we have about you and have it corrected or erased. You can also complain to the data protection authority of your country.',
  },
  {
    heading,
    text: 'No cookies. If you try other numbers under the chart, it keeps them until you close the tab, and sends them to nobody.',
  },
]

/** With a script or a chart of the owner's own there are no numbers to try. */
const sectionsWithOwn = [...sections.slice(0, -1), { heading, text: 'No cookies.' }]

/**
 * The privacy notice, which every page and mail links. What it says must be true of the program and
 * of what you do with it. Filled in from the settings in force: `{mailService}`, the service that
 * sends the mail; `{others}`, who else gets an address; `{traces}`, when the last traces of an
 * erased address are gone; `{support}` and `{site}`. From other texts: `{owner}`, your name,
 * `{postalAddress}`, and the words of the links that it names.
 */
export const privacyTexts = part(
  {
    label: 'Privacy notice',
    group: 'small-pages',
    where: 'The privacy notice, unless you link your own.',
    names: [
      'owner',
      'postalAddress',
      'support',
      'site',
      'mailService',
      'others',
      'traces',
      'unsubscribe',
      'notAsked',
      'erase',
    ],
  },
  {
    heading: text('What we keep about you.', { label: 'Heading', room: 48 }),
    text: lines(
      'Your email address, to send you what you asked for. No cookies, no tracking, and nothing loaded from other companies.',
      { label: 'Text', room: 320 },
    ),
    sections: list(
      sections,
      {
        label: 'Sections',
        min: 1,
        max: 20,
        withOwn: { chart: sectionsWithOwn, script: sectionsWithOwn },
      },
      {
        heading: each.text({ label: 'Heading', room: 60 }),
        text: each.lines({ label: 'Text', room: 900 }),
      },
    ),
    /** Stands for `{mailService}`. */
    ownServer: text('our own mail server', {
      label: 'Who sends the mail, if no other company does',
      room: 60,
    }),
    /** Stand for `{others}`. Each is said if it is so; the last one if none of them is. */
    others: {
      form: lines('The form sends your address to {host}.', {
        label: 'If the form sends to another host',
        room: 200,
        needs: ['host'],
      }),
      program: lines(
        'A program at {host} is told by number who joins, leaves or is erased; if you asked for news, it is told your address too.',
        { label: 'If a program is told of the list', room: 240, needs: ['host'] },
      ),
      programForAll: lines(
        'A program at {host} is told who joins, leaves or is erased, with the address.',
        { label: 'If a program is told every address', room: 240, needs: ['host'] },
      ),
      none: text('Nobody else gets it.', { label: 'If nobody else gets an address', room: 80 }),
    },
    /** Stand for `{traces}`. */
    traces: {
      withinTheHour: lines('the last traces leave our files within the hour', {
        label: 'After an erasure, with a small SQLite file',
        room: 160,
      }),
      overwritten: lines('old copies in the files of our database are overwritten as it is used', {
        label: 'After an erasure, with another database',
        room: 160,
      }),
    },
  },
)

export const privacy = valuesOf(privacyTexts)
