import { each, lines, list, part, text, valuesOf } from './schema.ts'

/**
 * The facts about the script that is given away. Every text may use `{script}`, `{rule}` and
 * `{tryOn}`.
 */
export const kitTexts = part(
  { label: 'Script', group: 'kit' },
  {
    script: {
      name: text('EMA crossover', {
        label: 'Name of the script',
        where: 'In the title, the mail and the guide. Empty: its own title.',
        room: 40,
        optional: true,
        drawn: ['guide'],
        isFact: true,
        often: true,
        withOwn: { script: '' },
      }),
    },
    rule: lines(
      'It buys when the 9-bar average crosses above the 21-bar one, and sells when it crosses back.',
      {
        label: 'What it does',
        where: 'In one sentence, at the top of the page. Such as “It buys when …”.',
        room: 160,
        isFact: true,
        often: true,
        withOwn: { script: '' },
      },
    ),
    tryOn: text('BTCUSD or AAPL, one day (*1D*)', {
      label: 'What to try it on',
      where: 'In the first step of the guide. Such as “BTCUSD, one day”.',
      room: 80,
      drawn: ['guide'],
      isFact: true,
      often: true,
      withOwn: { script: 'a market that you know' },
    }),
    messages: list(
      [],
      {
        label: 'What your script sends',
        where: 'On the alert card, with a script of your own. Without any, the card is left out.',
        min: 0,
        max: 4,
        shownWith: 'own script',
        often: true,
      },
      {
        mark: each.choice(
          { up: 'an entry', down: 'an exit' },
          { label: 'Mark', where: 'Before the name.' },
        ),
        name: each.text({ label: 'Name', where: 'Over the message.', room: 60 }),
        text: each.lines({
          label: 'Message',
          where: 'As your script sends it.',
          room: 600,
          verbatim: true,
        }),
      },
    ),
  },
)

export const kit = valuesOf(kitTexts)

/** A message of the script, as the script sends it. */
export type AlertMessage = (typeof kit)['messages'][number]
