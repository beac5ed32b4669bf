import { lines, part, text, valuesOf } from '../schema.ts'

export const whatChangedTexts = part(
  {
    label: 'What changed and news',
    group: 'personal-page',
    where: 'In "What changed", from the second version on.',
  },
  {
    heading: text('What changed', { label: 'Heading', room: 40 }),
    headingOfNews: text('News', {
      label: 'Heading of the switch',
      where: 'To those who have the newest version.',
      room: 40,
    }),
    ofVersion: text('New in {version}', {
      label: 'New in a version',
      room: 40,
      needs: ['version'],
    }),
    cameWith: lines('Your email had version {first}. This page now has {newest}.', {
      label: 'An older version',
      room: 160,
      needs: ['first', 'newest'],
    }),
    hasNewest: text('You have version {version}, the newest.', {
      label: 'The newest version',
      room: 80,
      needs: ['version'],
    }),
    yours: text('yours', { label: 'Mark of their version', room: 16 }),
    firstVersion: text('The first version.', {
      label: 'First version',
      room: 60,
      drawn: ['guide'],
    }),
    oldScript: lines(
      'Your chart keeps the old script until you paste the new one. An alert keeps its copy until you create a new alert.',
      { label: 'The old script', room: 260, drawn: ['guide'] },
    ),
    // Each consent is kept with the words on the screen: app/contract/consent-words.ts.
    announcements: part(
      { where: 'Beside the switch for news.' },
      {
        label: text('Email me about new versions and new scripts', {
          label: 'Consent',
          where: 'Beside the switch for news. A change makes a new wording.',
          room: 120,
        }),
        off: text('Off', { label: 'Off', room: 12 }),
        on: text('On', { label: 'On', room: 12 }),
        textWhenOff: lines(
          'First three short letters: your first alert, sideways markets, before real money. Off until you turn it on.',
          {
            label: 'While it is off',
            where: 'Beside the switch for news. A change makes a new wording.',
            room: 200,
          },
        ),
        textWhenAsked: lines(
          'First three short letters: your first alert, sideways markets, before real money. You can stop in any of those emails.',
          {
            label: 'What is asked for',
            where: 'After a copy or a download, and behind the mail. A change makes a new wording.',
            room: 200,
          },
        ),
        agreed: lines('Done. You can stop in any of those emails.', {
          label: 'After the answer',
          where: 'After a copy or a download.',
          room: 120,
        }),
        textWhenOn: lines('On since {day}. Turn it off here or in any of those emails.', {
          label: 'While it is on',
          room: 200,
          needs: ['day'],
        }),
        askButton: text('Yes, email me', {
          label: 'Button that asks',
          where: 'After a copy or a download.',
          room: 40,
        }),
        textAfterLeaving: lines('You have left the list, so you get no news from us.', {
          label: 'After leaving the list',
          room: 160,
        }),
      },
    ),
  },
)

export const whatChanged = valuesOf(whatChangedTexts)
