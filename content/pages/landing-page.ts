import { choice, each, lines, link, list, part, text, valuesOf } from '../schema.ts'

/** `last`: when the third is done. `ofAny`: true of any script. */
function steps(last: string, ofAny = false) {
  const first = ofAny ? 'watch what the script does' : 'let the strategy run in a simulation'
  return [
    {
      heading: 'Enter your email',
      text: 'One field. No account here, no card.',
      minute: 'now',
    },
    {
      heading: 'Get instant access',
      text: 'The links are in your inbox within a minute.',
      minute: 'a minute later',
    },
    {
      heading: 'Start trading',
      text: `Follow the guide, ${first} first, and connect an alert once you trust what you see.`,
      minute: last,
    },
  ]
}

/** `kind`: of script. */
function cost(kind: 'strategy' | 'script') {
  return {
    question: 'What do I need, and what does it cost?',
    answer: `A computer and a free TradingView account. The script and the guide cost nothing. TradingView’s free plan may have no alerts on a ${kind}, webhooks need a paid plan, and most services that place the orders charge too.`,
  }
}

/** A visitor's first questions, with the answers that are true of our script, or of any. */
const asked = {
  phone: {
    question: 'Does it work on a phone?',
    answer:
      'You need a computer once, to put the script on a chart. After that its chart and its alerts are in TradingView’s phone app as well.',
  },
  markets: {
    question: 'Which markets and brokers?',
    answer:
      'Any symbol on TradingView, with bars of any length. For real orders a service stands between TradingView and your broker: your page has a message for {bridges} and for a server of your own.',
  },
  repaints: {
    question: 'Does it repaint?',
    answer:
      'No. A cross counts once its bar has closed, and the order fills at the open of the next bar. The script looks at no later bar and at no other timeframe.',
  },
  money: {
    question: 'Does it make money?',
    answer:
      'On its own, usually not. It earns in a long trend and loses a little in everything else, and costs come on top. Take it as a frame for a rule of your own, and simulate that first.',
  },
  moneyOfAny: {
    question: 'Does it make money?',
    answer:
      'On its own, usually not. No rule earns in every market, and costs come on top. Try it without money first.',
  },
  address: {
    question: 'What do you do with my address?',
    answer:
      'You get one email with both files, and nothing else unless you ask for it. You can erase your address yourself, at once. “{privacy}” at the foot of this page says the rest.',
  },
}

/** `loss`: about a losing trade of our chart. */
function note(loss = ''): string[] {
  return [
    'I give this script away because the EMA crossover is a good first strategy to take apart: one rule, two lines, and every decision visible on the chart. The plumbing is harder to find: on which bar a signal counts, which order goes out, what the alert says. It is all in the file, with a comment on each part.',
    `Know what it does before you run it. It follows a trend when there is one. When there is none, it buys, sells and loses a little, again and again. ${loss}`.trim(),
    'So treat it as a starting point. Let it run in a simulation, change the lengths, set the stop you want. If a step in the guide is unclear, reply to the email and I will fix the page.',
  ]
}

const trademarks =
  'TradingView and Pine Script are trademarks of TradingView, Inc., which has no part in this site.'

/**
 * The landing page, section by section. The specification sets some of the defaults: tests hold
 * them.
 */
export const landingPageTexts = part(
  { label: 'Search and shared links', group: 'page' },
  {
    title: text('{brand}: a free {script} script with setup guide', {
      label: 'Title',
      where: 'In search results and on the tab of the browser.',
      room: 90,
    }),
    description: lines(
      'A free Pine Script strategy for TradingView, short enough to read, with a PDF setup guide. Both come by email. No card.',
      {
        label: 'Description',
        where: 'In search results and link previews.',
        room: 240,
        withOwn: {
          script:
            'A free Pine script for TradingView, with a PDF setup guide. Both come by email. No card.',
        },
      },
    ),
    shareImageAlt: text(
      'A price chart with a thin and a heavy line that cross, and the name of the script.',
      {
        label: 'Share picture in words',
        where: 'Alternative text for screen readers.',
        room: 200,
        hidden: true,
        withOwn: {
          sharePicture: 'A picture of the {script} script.',
          script: 'A price chart and the name of the script.',
        },
      },
    ),
    skipLink: text('Skip to the sign-up form', {
      label: 'Skip link',
      where: 'The first press of Tab shows it.',
      room: 48,
    }),
    hero: part(
      { label: 'Top' },
      {
        badge: text('100% Free, No Credit Card Required', {
          label: 'Badge',
          where: 'On the price line at the top.',
          room: 48,
        }),
        heading: [
          text('A trading bot', {
            label: 'Heading, first line',
            where: 'The large words at the top of the page.',
            room: 30,
            drawn: ['sharePicture'],
            often: true,
          }),
          text('short enough to read.', {
            label: 'Heading, second line',
            where: 'The large words at the top of the page.',
            room: 30,
            drawn: ['sharePicture'],
            often: true,
          }),
        ],
        lede: lines(
          'A free Pine Script strategy for TradingView. {rule} We email you the script and a ten-minute setup guide. You need a computer and a free TradingView account.',
          {
            label: 'Under the heading',
            where: 'What it is, what it does, how to get it.',
            room: 320,
            often: true,
            withOwn: {
              script:
                'A free Pine script for TradingView. {rule} We email you the script and a ten-minute setup guide. You need a computer and a free TradingView account.',
              guide:
                'A free Pine script for TradingView. {rule} We email you the script and a setup guide. You need a computer and a free TradingView account.',
            },
          },
        ),
        formName: text('Get the script and the guide', {
          label: 'Name of the first form',
          where: 'Read out by screen readers.',
          room: 80,
          hidden: true,
        }),
        button: text('Download Now for Free', {
          label: 'Button of the first form',
          where: 'Below its field.',
          room: 30,
        }),
        reassurance: text('One email with both files. Nothing else unless you ask for it.', {
          label: 'Under the first form',
          where: 'How much email people get. It must be true.',
          room: 80,
        }),
      },
    ),
    chart: part(
      { label: 'Chart' },
      {
        fast: part(
          { shownWith: 'our chart' },
          {
            term: text('EMA {length}', {
              label: 'Fast average, term',
              where: 'In the line above the chart.',
              room: 12,
            }),
            role: text('fast', { label: 'Fast average, role', where: 'After the term.', room: 16 }),
            tip: lines(
              'Exponential moving average, length {length}. Recent closes weigh most, so it turns first.',
              {
                label: 'Fast average, explained',
                where: 'Opens when somebody points at the term.',
                room: 160,
              },
            ),
          },
        ),
        slow: part(
          { shownWith: 'our chart' },
          {
            term: text('EMA {length}', {
              label: 'Slow average, term',
              where: 'In the line above the chart.',
              room: 12,
            }),
            role: text('slow', { label: 'Slow average, role', where: 'After the term.', room: 16 }),
            tip: lines(
              'Exponential moving average, length {length}. It turns later and ignores small moves.',
              {
                label: 'Slow average, explained',
                where: 'Opens when somebody points at the term.',
                room: 160,
              },
            ),
          },
        ),
        up: text('up', {
          label: 'Rising bars',
          where: 'In the line above the chart.',
          room: 16,
          shownWith: 'our chart',
        }),
        down: text('down', {
          label: 'Falling bars',
          where: 'In the line above the chart.',
          room: 16,
          shownWith: 'our chart',
        }),
        sample: text('Illustration on sample data', {
          label: 'Sample data',
          where: 'At the end of the line above the chart.',
          room: 40,
          drawn: ['sharePicture'],
          shownWith: 'our chart',
        }),
        ownChart: text('A chart of the script.', {
          label: 'Your chart in words',
          where: 'Alternative text for screen readers.',
          room: 200,
          hidden: true,
          shownWith: 'own chart',
        }),
        crop: choice(
          'whole',
          {
            whole: 'the whole picture',
            top: 'its top',
            middle: 'its middle',
            bottom: 'its bottom',
          },
          {
            label: 'Crop of your chart',
            where: 'Its newest bars, at the right, are always shown.',
            shownWith: 'own chart',
          },
        ),
      },
    ),
    tryLengths: part(
      {
        label: 'Chart',
        shownWith: 'our chart',
        where: 'Under the chart, after “Try other lengths”.',
      },
      {
        button: text('Try other lengths', {
          label: 'Try other lengths',
          where: 'The button under the chart.',
          room: 40,
        }),
        fast: text('Fast length', { label: 'Label of the fast length', room: 24 }),
        slow: text('Slow length', { label: 'Label of the slow length', room: 24 }),
        less: text('one less', {
          label: 'Button −',
          where: 'Under the chart, after “Try other lengths”. Read out by screen readers.',
          room: 24,
          hidden: true,
        }),
        more: text('one more', {
          label: 'Button +',
          where: 'Under the chart, after “Try other lengths”. Read out by screen readers.',
          room: 24,
          hidden: true,
        }),
        counts: lines(
          'Closed trades in these {bars} bars: {trades}. Losing trades: {losing}. Longest losing run: {inARow}. What costs took: {costs} a share.',
          { label: 'Counts', room: 240 },
        ),
        stillOpen: text('One more trade is still open.', { label: 'An open trade', room: 80 }),
        note: lines(
          'Made-up prices: this shows how the rule behaves, not what you would earn. Each order costs {commission} % commission and {slippage} of slippage, as in the script.',
          { label: 'Made-up prices', room: 240 },
        ),
        order: text('{name} would have sent:', { label: 'Over the message', room: 60 }),
        wrong: lines(
          'Enter whole numbers from {least} to {most}. The fast length must be below the slow one.',
          { label: 'If the lengths are wrong', room: 160 },
        ),
      },
    ),
    whatsIncluded: part(
      { label: "What's Included", where: 'Below its heading.' },
      {
        heading: text("What's Included", {
          label: 'Heading of the cards',
          where: 'Above the three cards.',
          room: 40,
        }),
        script: {
          plate: text('Pine Script', {
            label: 'Script card, file type',
            where: 'Above the picture, after the name of the file.',
            room: 20,
          }),
          heading: text('The full Pine script', {
            label: 'Script card, heading',
            where: 'Above the lines of the script.',
            room: 40,
          }),
          text: lines(
            'The whole strategy in one commented file of {lines} lines. Nothing is locked: change the lengths, set a stop, make it yours.',
            {
              label: 'Script card, text',
              room: 200,
              withOwn: {
                script:
                  'The whole script in one file of {lines} lines. Nothing is locked: read it, change it, make it yours.',
              },
            },
          ),
          codeName: text('Lines {first} to {last} of the script', {
            label: 'Name of the lines',
            where: 'Read out by screen readers.',
            room: 80,
            hidden: true,
            needs: ['first', 'last'],
          }),
        },
        guide: {
          plate: text('A4', {
            label: 'Guide card, file type',
            where: 'Above the picture, after the name of the file.',
            room: 20,
            withOwn: { guide: 'PDF' },
          }),
          heading: text('A 10-minute setup guide', {
            label: 'Guide card, heading',
            where: 'Above the picture of the guide.',
            room: 40,
            withOwn: { guide: 'A setup guide' },
          }),
          text: lines(
            'Five steps with pictures, from an empty chart to a running simulation in under 10 minutes. Three more lead to alerts and to your broker.',
            {
              label: 'Guide card, text',
              room: 200,
              withOwn: {
                script:
                  'Five steps with pictures, from an empty chart to the running script in under 10 minutes. Three more lead to alerts and to your broker.',
                guide: 'How to set up the script, as a PDF to read or to print.',
              },
            },
          ),
          pictureName: text(
            'A page of the guide, with the minutes of the setup down its right edge.',
            {
              label: 'Name of the picture',
              where: 'Read out by screen readers.',
              room: 120,
              hidden: true,
              withOwn: { guide: 'A page of the guide.' },
            },
          ),
          enlarge: text('See it full size', {
            label: 'Link to the page, large',
            where: 'Below the picture of the guide.',
            room: 40,
          }),
        },
        alerts: {
          address: text('POST your-webhook', {
            label: 'Alert card, address',
            where: 'Above the message: where it goes.',
            room: 30,
          }),
          plate: text('JSON', {
            label: 'Alert card, format',
            where: 'Above the message, at its right.',
            room: 12,
            withOwn: { script: 'Message' },
          }),
          heading: [
            text('Full automation', {
              label: 'Alert card, heading, first line',
              where: 'Above the messages.',
              room: 28,
            }),
            text('via webhook alerts', {
              label: 'Alert card, heading, second line',
              where: 'Above the messages.',
              room: 28,
            }),
          ],
          text: lines(
            'Every entry and exit can send a message like this to a service that places the order, or to your own server. TradingView charges for webhooks, and most of these services charge too.',
            { label: 'Alert card, text', room: 320 },
          ),
          entry: text(
            'Entry 2. The price is the close that gave the signal; the order filled at {fill}.',
            {
              label: 'Name of the entry',
              where: 'Over the message of our own script.',
              room: 100,
              shownWith: 'our script',
            },
          ),
          exit: text('Exit 2, filled at {fill}.', {
            label: 'Name of the exit',
            where: 'Over the message of our own script.',
            room: 100,
            shownWith: 'our script',
          }),
          services: text('With a message ready for {bridges}.', {
            label: 'Services',
            where: 'Below the messages of our own script.',
            room: 120,
            needs: ['bridges'],
            shownWith: 'our script',
          }),
        },
      },
    ),
    howItWorks: part(
      { label: 'How It Works' },
      {
        heading: text('How It Works', {
          label: 'Heading of the steps',
          where: 'Above the three steps.',
          room: 40,
        }),
        steps: list(
          steps('in ten minutes'),
          {
            label: 'Steps',
            where: 'The three steps.',
            min: 3,
            max: 3,
            withOwn: { script: steps('in ten minutes', true), guide: steps('after that', true) },
          },
          {
            heading: each.text({ label: 'Heading', where: 'Of the step.', room: 36 }),
            text: each.lines({ label: 'Text', where: 'Below its heading.', room: 200 }),
            minute: each.text({
              label: 'Minute',
              where: 'On the axis: when it is done.',
              room: 16,
            }),
          },
        ),
        questions: list(
          [
            cost('strategy'),
            asked.phone,
            asked.markets,
            asked.repaints,
            asked.money,
            asked.address,
          ],
          {
            label: 'Questions',
            where: 'Folded, below the steps.',
            min: 0,
            max: 12,
            names: ['bridges', 'privacy'],
            withOwn: { script: [cost('script'), asked.phone, asked.moneyOfAny, asked.address] },
          },
          {
            question: each.text({ label: 'Question', where: 'Below the steps.', room: 80 }),
            answer: each.lines({
              label: 'Answer',
              where: 'Opens at a press on the question.',
              room: 500,
            }),
          },
        ),
      },
    ),
    creatorNote: part(
      { label: 'Note' },
      {
        heading: text('A note from the creator', {
          label: 'Heading of the note',
          where: 'Above the letter.',
          room: 48,
        }),
        paragraphs: list(
          note('The second trade in the chart above is such a loss, and I left it in on purpose.'),
          {
            label: 'Note',
            where: 'The letter, signed with your name.',
            min: 1,
            max: 12,
            often: true,
            withOwn: {
              chart: note(),
              script: [
                'I give this script away so that you can take it apart. Every decision is in the file: read it before you run it.',
                'No rule wins in every market. Look at how this one loses before you look at how it wins.',
                'So treat it as a starting point. Try it without money first, and change one input at a time. If a step in the guide is unclear, reply to the email and I will fix the page.',
              ],
            },
          },
          each.lines({ label: 'Paragraph', where: 'In the letter.', room: 900, often: true }),
        ),
        person: part(
          { where: 'Below the signature.', optional: true },
          {
            sentence: lines('', { label: 'Who signs it', room: 200 }),
            linkText: text('', { label: 'Words of your link', room: 40 }),
            linkUrl: link('', { label: 'Your link' }),
          },
        ),
        bought: text('Bought at', {
          label: 'Bought at',
          where: 'Beside the letter, read out in place of the mark.',
          room: 30,
          hidden: true,
          shownWith: 'our chart',
        }),
        closed: text('Closed at', {
          label: 'Closed at',
          where: 'Beside the letter, read out in place of the mark.',
          room: 30,
          hidden: true,
          shownWith: 'our chart',
        }),
        aside: lines('Entry 2 and exit 2 in the chart, on sample data and before costs.', {
          label: 'Beside the letter',
          where: 'A losing trade of our script.',
          room: 120,
          shownWith: 'our chart',
        }),
      },
    ),
    closingCall: part(
      { label: 'Bottom section' },
      {
        heading: [
          text('Read every line', {
            label: 'Heading, first line',
            where: 'At the bottom of the page.',
            room: 30,
          }),
          text('before you run one.', {
            label: 'Heading, second line',
            where: 'At the bottom of the page.',
            room: 30,
          }),
        ],
        formName: text('Get the script and the guide, from the end of the page', {
          label: 'Name of the second form',
          where: 'Read out by screen readers.',
          room: 80,
          hidden: true,
        }),
        button: text('Get My Free Bot', {
          label: 'Button of the second form',
          where: 'Below its field.',
          room: 30,
        }),
        promise: text('No spam. Unsubscribe anytime. Your email is safe with us.', {
          label: 'Promise',
          where: 'Below the button.',
          room: 120,
        }),
      },
    ),
    legalLinks: part(
      { label: 'Links in the footer', group: 'name' },
      {
        privacy: text('Privacy', {
          label: 'Link to the privacy notice',
          where: 'At the bottom of every page.',
          room: 30,
        }),
        imprint: text('Imprint', {
          label: 'Link to the imprint',
          where: 'At the bottom of every page.',
          room: 30,
        }),
      },
    ),
    shortRisk: lines(
      'Trading involves risk. You can lose some or all of the money you trade with.',
      {
        label: 'Risk, short',
        under: 'Footer',
        where: 'At the bottom of every small page.',
        room: 200,
      },
    ),
    footer: part(
      { label: 'Footer' },
      {
        risk: lines(
          'Trading involves risk. You can lose some or all of the money you trade with, and with leverage more than you put in. The script and the guide are educational material, not investment advice. Simulated and past results do not tell you what comes next.',
          {
            label: 'Risk',
            where: 'The last lines of the page, and the guide.',
            room: 600,
            drawn: ['guide'],
          },
        ),
        trademarks: lines(
          `The chart on this page is drawn from sample data, not from a market. ${trademarks}`,
          {
            label: 'Sample data and trademarks',
            where: 'The last lines of the page.',
            room: 400,
            withOwn: { chart: trademarks, script: trademarks },
          },
        ),
      },
    ),
  },
)

export const landingPage = valuesOf(landingPageTexts)
