import type { Content } from '#content/content.ts'
import { type DescriptionOf, lines, list, text } from './describe.ts'

export const kit: DescriptionOf<Content['kit']> = {
  script: {
    name: text(
      'Name of the script',
      'In the title, the mail and the guide. Empty: its own title.',
      40,
      {
        optional: true,
        drawn: ['guide'],
      },
    ),
  },
  rule: lines(
    'What it does, in one sentence',
    'At the top of the page. Such as "It buys when …".',
    160,
  ),
  tryOn: text('What to try it on', 'In the first step of the guide.', 80, { drawn: ['guide'] }),
  messages: list(
    'What your script sends',
    'On the alert card, with a script of your own. Without any the card goes.',
    { min: 0, max: 4 },
    {
      mark: {
        kind: 'choice',
        label: 'Mark',
        where: 'Before the name.',
        choices: { up: 'an entry', down: 'an exit' },
      },
      name: text('Name', 'Over the message.', 60),
      text: lines('Message', 'As your script sends it.', 600, { verbatim: true }),
    },
  ),
}
