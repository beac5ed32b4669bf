import { each, lines, list, part, text, valuesOf } from '../schema.ts'

/**
 * The steps to the first trade. They must be true of the guide and of TradingView. `ofAny`: of any
 * script as well.
 */
function steps(compare: string, ofAny = false): string[] {
  const simulates = ofAny ? '' : 'There it only simulates trades. '
  const kinds = ofAny ? 'scripts' : 'strategies'
  return [
    'Open your page on your computer and press Copy script.',
    'In TradingView, open a chart, then the Pine Editor. Paste, and press Add to chart.',
    compare,
    `Leave it on the chart. ${simulates}No order is sent anywhere.`,
    `Try an alert on 1-minute bars, then create the real one. TradingView’s free plan may have no alerts on ${kinds}, and a webhook needs a paid plan.`,
  ]
}

/**
 * The one mail that we send, from top to bottom. A change goes out with the next mail; mails that
 * are waiting keep their words.
 */
export const starterEmailTexts = part(
  {
    label: 'The mail with the kit',
    inMail: true,
    group: 'mail',
    where: 'In the mail, from top to bottom.',
  },
  {
    subject: text('Your free bot: script and setup guide', {
      label: 'Subject',
      where: 'Of the mail. The note on the page names it.',
      room: 78,
      often: true,
    }),
    preview: text('Two files and a five-step start. The links don’t expire.', {
      label: 'Preview',
      where: 'After the subject, before the mail is opened.',
      room: 120,
      withOwn: { guide: 'Two files, and how to start. The links don’t expire.' },
    }),
    heading: text('Here is your bot.', { label: 'Heading', room: 48 }),
    opening: lines(
      'You asked for the {script} script and its setup guide. Both are on your own page. The links don’t expire.',
      { label: 'Opening', room: 400 },
    ),
    pageButton: text('Open the script', { label: 'Button to the personal page', room: 40 }),
    scriptDescription: text('The full Pine script', { label: 'Script', room: 48 }),
    scriptButton: text('Download script', { label: 'Button of the script', room: 30 }),
    guideDescription: text('The 10-minute setup guide', {
      label: 'Guide',
      room: 48,
      withOwn: { guide: 'The setup guide' },
    }),
    guideButton: text('Download guide', { label: 'Button of the guide', room: 30 }),
    personalPage: lines('{yourPage} also has the guide online, and checksums for both files.', {
      label: 'What the personal page has',
      room: 200,
      needs: ['yourPage'],
      withOwn: { guide: '{yourPage} also has checksums for both files.' },
    }),
    yourPage: text('Your page', { label: 'Link to the personal page', room: 40 }),
    announcements: lines(
      'This is the only email you’ll get, unless you ask for more on your page.',
      {
        label: 'Other mail',
        room: 160,
      },
    ),
    stepsHeading: text('Start here', { label: 'Heading of the steps', room: 48 }),
    steps: list(
      steps('Compare the two lines with those in the guide.'),
      {
        label: 'Steps',
        min: 1,
        max: 10,
        withOwn: {
          script: steps('Compare what you see with the guide.', true),
          guide: steps('Compare what you see with the guide.', true),
        },
      },
      each.lines({ label: 'Step', room: 160 }),
    ),
    news: lines('Want to hear when there’s a new version? {newsLink}', {
      label: 'Asks for consent',
      room: 160,
      needs: ['newsLink'],
    }),
    newsLink: text('Yes, email me', { label: 'Link to give consent', room: 40 }),
    help: lines('Stuck on a step? Reply to this email and tell me which one.', {
      label: 'Help',
      room: 200,
    }),
    risk: lines(
      'Trading involves risk. You can lose some or all of the money you trade with. The script and the guide are educational material, not investment advice.',
      { label: 'Risk', room: 400 },
    ),
    reason: lines(
      'You get this email because {address} was entered at {site} on {date}. Not you? Ignore it, or {unsubscribe}.',
      {
        label: 'Why they get it',
        where: 'At the bottom of the mail.',
        room: 240,
        needs: ['address', 'unsubscribe'],
      },
    ),
    unsubscribe: text('unsubscribe', {
      label: 'Link to unsubscribe',
      where: 'At the bottom of the mail.',
      room: 40,
    }),
    notAskedLink: text('I did not ask for this', {
      label: 'Link for others',
      where: 'At the bottom of the mail.',
      room: 48,
    }),
  },
)

export const starterEmail = valuesOf(starterEmailTexts)
