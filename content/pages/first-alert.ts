import { each, lines, list, part, text, valuesOf } from '../schema.ts'

/**
 * "What did TradingView send?" on the personal page. What is said about a message is in
 * app/site/kit/alert/.
 */
export const firstAlertTexts = part(
  { label: 'First alert', group: 'personal-page', where: 'In "What did TradingView send?".' },
  {
    heading: text('What did TradingView send?', { label: 'Heading', room: 48 }),
    text: lines(
      'In TradingView open *Alerts* on the right, then *Log*, and copy a message. Paste it here to read what it would do. This works on a free plan too.',
      { label: 'Text', room: 260 },
    ),
    privacy: lines('It is read in your browser. Nothing is sent to us.', {
      label: 'Privacy',
      room: 160,
    }),
    label: text('A message from the alert log', { label: 'Field', room: 48 }),
    withoutJavaScript: lines(
      'Reading a pasted message needs JavaScript. A test address works without it: load this page again to see what has arrived.',
      { label: 'Without JavaScript', room: 200 },
    ),
    nothingWrong: text('Nothing wrong found.', { label: 'A message without a fault', room: 48 }),
    test: part(
      { label: 'Test address', where: 'At the test address.' },
      {
        heading: text('See it arrive', { label: 'Heading', room: 48 }),
        text: lines(
          'Before you give TradingView your bridge’s address, give it one of ours, and see here what it really sends. Webhooks need a paid TradingView plan.',
          { label: 'Text', room: 260 },
        ),
        privacy: lines(
          'The address is yours alone. After 24 hours we delete it, and everything that arrived there. Licenses, keys and secrets are masked before anything is stored. Nothing is passed on.',
          { label: 'Privacy', room: 320 },
        ),
        get: text('Get a test address', { label: 'Button', room: 30 }),
        missing: lines(
          'TradingView can only reach a public https address. This site has none, so it cannot offer you a test address.',
          { label: 'Where TradingView cannot reach your site', room: 260 },
        ),
        paste: lines('Edit the alert, open *Notifications*, and paste this into *Webhook URL*:', {
          label: 'What to do with it',
          room: 200,
        }),
        copy: text('Copy address', { label: 'Copy', room: 24 }),
        copied: text('Copied. Paste it at TradingView and save the alert.', {
          label: 'Copied',
          room: 80,
        }),
        refused: lines(
          'Your browser blocked copying. The address is selected: press Ctrl C (Mac: ⌘ C).',
          { label: 'The browser did not allow it', room: 200 },
        ),
        ends: text('It ends', { label: 'Before the moment of its end', room: 24 }),
        seen: text('{count} arrived. Entry: {entry}. Exit: {exit}.', {
          label: 'What was seen',
          room: 80,
          needs: ['count', 'entry', 'exit'],
        }),
        yes: text('seen', { label: 'Seen', room: 16 }),
        notYet: text('not yet', { label: 'Not seen yet', room: 16 }),
        done: lines(
          'One entry and one exit arrived, and nothing is wrong with them. Now put your bridge’s address in its place.',
          { label: 'Once an entry and an exit were seen', room: 200 },
        ),
        fromTradingView: text('from TradingView', { label: 'From TradingView', room: 40 }),
        fromElsewhere: text('not from TradingView’s list', { label: 'From elsewhere', room: 40 }),
        nothingHere: text('TradingView says it fired, and nothing is here?', {
          label: 'Opens the reasons why nothing arrived',
          room: 80,
        }),
        reasons: list(
          [
            'Look at the column *Webhook status* in TradingView’s alert log. It says what became of the message.',
            'Empty: this alert has no webhook. Edit it, tick *Webhook URL*, paste the address and save. Webhooks also need two-factor login.',
            'Delivered: it went to another address. Compare the one in the alert with the one above, letter by letter.',
            'An error with a number is our answer. 404: this address has ended. 413: the message is longer than 4,096 bytes. 429: more than 60 came within a minute.',
            'Timed out: our answer took longer than 3 seconds. TradingView does not send such a message again.',
          ],
          { label: 'Why nothing arrived', min: 1, max: 8 },
          each.lines({ label: 'Reason', room: 260 }),
        ),
        stop: text('Stop', { label: 'Ends the test address', room: 16 }),
      },
    ),
    reminder: part(
      { label: 'Reminder', where: 'In "Before the alert expires".' },
      {
        heading: text('Before the alert expires', { label: 'Heading', room: 48 }),
        text: lines(
          'After its expiration an alert sends nothing, and nobody tells you. Save a reminder for the day before.',
          { label: 'Text', room: 200 },
        ),
        label: text('The alert expires on', { label: 'Field', room: 40 }),
        button: text('Save a reminder', { label: 'Button', room: 30 }),
        wrong: text('Enter a day after today.', { label: 'Wrong day', room: 60 }),
        saved: lines('Saved as a calendar file. Open it to add it to your calendar.', {
          label: 'Saved',
          room: 120,
        }),
        title: text('TradingView alert expires tomorrow', {
          label: 'Title in the calendar',
          room: 60,
          outside: true,
        }),
        entry: lines(
          'Edit the alert and set a later expiration. After it has expired, nothing is sent.',
          { label: 'Text in the calendar', room: 200, outside: true },
        ),
      },
    ),
  },
)

export const firstAlert = valuesOf(firstAlertTexts)
