import type { Content } from '#content/content.ts'
import { type DescriptionOf, link, lines, list, text } from './describe.ts'

const readOut = { hidden: true } as const
const drawn = { drawn: ['sharePicture'] } as const

const hero: DescriptionOf<Content['landingPage']['hero']> = {
  badge: text('Badge', 'On the price line at the top.', 48),
  heading: [
    text('Heading, first line', 'The large words at the top of the page.', 30, drawn),
    text('Heading, second line', 'The large words at the top of the page.', 30, {
      ...drawn,
    }),
  ],
  lede: lines('Under the heading', 'What it is, what it does, how one gets it.', 320),
  formName: text('Name of the first form', 'Read out by screen readers.', 80, readOut),
  button: text('Button of the first form', 'Below its field.', 30),
  reassurance: text('Under the first form', 'How much email one gets. It must be true.', 80),
}

const chart: DescriptionOf<Content['landingPage']['chart']> = {
  fast: average('Fast average'),
  slow: average('Slow average'),
  up: text('Rising bars', 'In the line above the chart.', 16),
  down: text('Falling bars', 'In the line above the chart.', 16),
  sample: text('Sample data', 'At the end of the line above the chart.', 40, {
    ...drawn,
  }),
  ownChart: text('Your chart in words', 'For whoever does not see it.', 200, readOut),
  crop: {
    kind: 'choice',
    label: 'Crop of your chart',
    where: 'Its newest bars, at the right, are always shown.',
    choices: {
      whole: 'the whole picture',
      top: 'its top',
      middle: 'its middle',
      bottom: 'its bottom',
    },
  },
}

const tried = 'Under the chart, after “Try other lengths”.'

const tryLengths: DescriptionOf<Content['landingPage']['tryLengths']> = {
  button: text('Try other lengths', 'The button under the chart.', 40),
  fast: text('Label of the fast length', tried, 24),
  slow: text('Label of the slow length', tried, 24),
  less: text('Button −', `${tried} Read out by screen readers.`, 24, readOut),
  more: text('Button +', `${tried} Read out by screen readers.`, 24, readOut),
  counts: lines('Counts', tried, 240),
  stillOpen: text('An open trade', tried, 80),
  note: lines('Made-up prices', tried, 240),
  order: text('Over the message', tried, 60),
  wrong: lines('If the lengths are wrong', tried, 160),
}

function average(name: string) {
  return {
    term: text(`${name}, term`, 'In the line above the chart.', 12),
    role: text(`${name}, role`, 'After the term.', 16),
    tip: lines(`${name}, explained`, 'Opens when one points at the term.', 160),
  }
}

const whatsIncluded: DescriptionOf<Content['landingPage']['whatsIncluded']> = {
  heading: text('Heading of the cards', 'Above the three cards.', 40),
  script: {
    plate: text('Script card, plate', 'Above the picture, after the name of the file.', 20),
    heading: text('Script card, heading', 'Above the lines of the script.', 40),
    text: lines('Script card, text', 'Below its heading.', 200),
    codeName: text('Name of the lines', 'Read out by screen readers.', 80, {
      ...readOut,
      needs: ['first', 'last'],
    }),
  },
  guide: {
    plate: text('Guide card, plate', 'Above the picture, after the name of the file.', 20),
    heading: text('Guide card, heading', 'Above the picture of the guide.', 40),
    text: lines('Guide card, text', 'Below its heading.', 200),
    pictureName: text('Name of the picture', 'Read out by screen readers.', 120, {
      ...readOut,
    }),
    enlarge: text('Link to the page, large', 'Below the picture of the guide.', 40),
  },
  alerts: {
    address: text('Alert card, address', 'Above the message: where it goes.', 30),
    plate: text('Alert card, plate', 'Above the message, at its right.', 12),
    heading: [
      text('Alert card, heading, first line', 'Above the messages.', 28),
      text('Alert card, heading, second line', 'Above the messages.', 28),
    ],
    text: lines('Alert card, text', 'Below its heading.', 320),
    entry: text('Name of the entry', 'Over the message of our own script.', 100),
    exit: text('Name of the exit', 'Over the message of our own script.', 100),
    services: text('Services', 'Below the messages of our own script.', 120, {
      needs: ['bridges'],
    }),
  },
}

const howItWorks: DescriptionOf<Content['landingPage']['howItWorks']> = {
  heading: text('Heading of the steps', 'Above the three steps.', 40),
  steps: list(
    'Steps',
    'The three steps.',
    { min: 3, max: 3 },
    {
      heading: text('Heading', 'Of the step.', 36),
      text: lines('Text', 'Below its heading.', 200),
      minute: text('Minute', 'On the axis: when it is done.', 16),
    },
  ),
  questions: list(
    'Questions',
    'Folded, below the steps.',
    { min: 0, max: 12 },
    {
      question: text('Question', 'Below the steps.', 80),
      answer: lines('Answer', 'Opens at a press on the question.', 500),
    },
  ),
}

const creatorNote: DescriptionOf<Content['landingPage']['creatorNote']> = {
  heading: text('Heading of the note', 'Above the letter.', 48),
  paragraphs: list(
    'Note',
    'The letter, signed with your name.',
    { min: 1, max: 12 },
    lines('Paragraph', 'In the letter.', 900),
  ),
  person: {
    sentence: lines('Who signs it', 'Below the signature.', 200, { optional: true }),
    linkText: text('Words of your link', 'Below the signature.', 40, { optional: true }),
    linkUrl: link('Your link', 'Below the signature.', { optional: true }),
  },
  bought: text('Bought at', 'Beside the letter, read out in place of the mark.', 30, {
    ...readOut,
  }),
  closed: text('Closed at', 'Beside the letter, read out in place of the mark.', 30, {
    ...readOut,
  }),
  aside: lines('Beside the letter', 'A losing trade of our script.', 120),
}

const closingCall: DescriptionOf<Content['landingPage']['closingCall']> = {
  heading: [
    text('Heading, first line', 'At the dark end of the page.', 30),
    text('Heading, second line', 'At the dark end of the page.', 30),
  ],
  formName: text('Name of the second form', 'Read out by screen readers.', 80, readOut),
  button: text('Button of the second form', 'Below its field.', 30),
  promise: text('Promise', 'Below the button.', 120),
}

export const landingPage: DescriptionOf<Content['landingPage']> = {
  title: text('Title', 'In search results and on the tab of the browser.', 90),
  description: lines('Description', 'In search results and link previews.', 240),
  shareImageAlt: text('Share picture in words', 'For whoever does not see it.', 200, {
    ...readOut,
  }),
  skipLink: text('Skip link', 'The first press of Tab shows it.', 48),
  hero,
  chart,
  tryLengths,
  whatsIncluded,
  howItWorks,
  creatorNote,
  closingCall,
  legalLinks: {
    privacy: text('Link to the privacy notice', 'At the foot of every page.', 30),
    imprint: text('Link to the imprint', 'At the foot of every page.', 30),
  },
  shortRisk: lines('Risk, short', 'At the foot of every small page.', 200),
  footer: {
    risk: lines('Risk', 'The last lines of the page, and the guide.', 600, { drawn: ['guide'] }),
    trademarks: lines('Sample data and trademarks', 'The last lines of the page.', 400),
  },
}
