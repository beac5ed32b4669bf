import { lines, link, part, text, valuesOf } from '../schema.ts'

export const personalPageTexts = part(
  { label: 'Top', group: 'personal-page' },
  {
    title: text('Your starter kit', {
      label: 'Title',
      where: 'On the tab of the browser.',
      room: 60,
    }),
    heading: text('Your starter kit.', {
      label: 'Heading',
      where: 'At the top of the personal page.',
      room: 48,
    }),
    text: lines('Made for {address}. This page and its links do not expire.', {
      label: 'Text',
      where: 'Below the heading.',
      room: 160,
      needs: ['address'],
    }),
    share: lines('Send a friend to {site}. This page shows your address.', {
      label: 'For friends',
      where: 'Below the heading.',
      room: 160,
      needs: ['site'],
    }),
    sections: text('On this page', {
      label: 'Name of the sections',
      where: 'Read out by screen readers.',
      room: 48,
      hidden: true,
    }),
    script: part(
      { label: 'Script', where: 'After a press of the button.' },
      {
        heading: text('The script', { label: 'Heading', where: 'Above the script.', room: 40 }),
        text: lines('Copy it, paste it into the Pine Editor, press {addToChart}.', {
          label: 'Text',
          where: 'Below the heading.',
          room: 200,
        }),
        addToChart: text('Add to chart', {
          label: 'Name of a button in TradingView',
          where: 'In the text.',
          room: 40,
        }),
        textOnPhone: lines(
          'TradingView’s editor runs on a computer. Open our email there, or send yourself the link.',
          { label: 'Text on a phone', where: 'Instead of the text.', room: 200 },
        ),
        send: text('Send the link to myself', {
          label: 'Send the link',
          where: 'The button on a phone.',
          room: 40,
        }),
        sendSubject: text('My starter kit', {
          label: 'Subject of that mail',
          outside: true,
          where: 'Or the title in the phone’s share sheet.',
          room: 60,
        }),
        copy: text('Copy script', {
          label: 'Copy',
          where: 'The button above the script.',
          room: 24,
          drawn: ['guide'],
        }),
        copied: lines(
          'Copied: {lines} lines. Now click into the Pine Editor, select all and paste.',
          { label: 'Copied', room: 160 },
        ),
        copiedName: text('Copied', { label: 'The button, once copied', room: 24 }),
        openChart: text('Open a chart on TradingView', {
          label: 'The next step',
          where: 'Once it is copied.',
          room: 60,
        }),
        triedLengths: text('You tried other lengths. Set {fast} and {slow} under Settings.', {
          label: 'Other lengths',
          where: 'To whoever tried them on the page.',
          room: 120,
          shownWith: 'our script',
        }),
        chartUrl: link('https://www.tradingview.com/chart/', {
          label: 'Link of the next step',
          where: 'Once it is copied.',
        }),
        refused: lines(
          'Your browser blocked copying. All lines are selected: press Ctrl C (Mac: ⌘ C).',
          { label: 'The browser did not allow it', room: 200 },
        ),
        withoutJavaScript: lines(
          'Click or press into the lines: all of them are selected. Then copy: Ctrl C (Mac: ⌘ C).',
          { label: 'How to copy without JavaScript', where: 'Above the script.', room: 200 },
        ),
        lines: text('{lines} lines', {
          label: 'Lines',
          where: 'Below the name of the file.',
          room: 24,
          needs: ['lines'],
        }),
        enters: text('entry order', {
          label: 'Mark of an entry',
          where: 'Beside the lines of the script.',
          room: 16,
        }),
        leaves: text('exit order', {
          label: 'Mark of an exit',
          where: 'Beside the lines of the script.',
          room: 16,
        }),
        showAll: text('Show all {lines} lines', {
          label: 'Show all',
          where: 'The button below the first lines.',
          room: 40,
          needs: ['lines'],
        }),
      },
    ),
    files: part(
      { label: 'Files' },
      {
        heading: text('The two files', {
          label: 'Heading',
          where: 'Above the two files.',
          room: 40,
        }),
        script: text('Download script', {
          label: 'Download the script',
          where: 'A button.',
          room: 30,
        }),
        guide: text('Download guide', {
          label: 'Download the guide',
          where: 'A button.',
          room: 30,
        }),
        version: text('Version {version}', {
          label: 'Version',
          where: 'Beside each file.',
          room: 30,
          needs: ['version'],
        }),
        checksums: text('Verify the files (SHA-256)', {
          label: 'Checksums',
          where: 'Opens the checksums.',
          room: 60,
        }),
        checksum: text('SHA-256 {file}', {
          label: 'Checksum of a file',
          where: 'Before the checksum.',
          room: 40,
          needs: ['file'],
        }),
      },
    ),
    bridges: part(
      {
        label: 'Bridges',
        shownWith: 'our script',
        where: 'In "Connect your bridge", only with our script.',
      },
      {
        heading: text('Connect your bridge', { label: 'Heading', room: 40, drawn: ['guide'] }),
        text: lines(
          'A bridge turns an alert into an order at your broker. Choose yours to get the right message.',
          { label: 'Text', room: 200 },
        ),
        privacy: lines(
          'All of this happens in your browser; nothing is sent to us. Don’t enter passwords or keys here. The message shows where they go.',
          { label: 'Privacy', room: 260 },
        ),
        terms: lines(
          '{link} have a section on automated use. Read it before you connect anything.',
          { label: 'TradingView’s terms', room: 200, needs: ['link'] },
        ),
        termsLink: text('TradingView’s terms', { label: 'Words of the link', room: 40 }),
        termsUrl: link('https://www.tradingview.com/policies/', { label: 'Link to the terms' }),
        choice: text('Your bridge', { label: 'Choice of the bridge', room: 30 }),
        direction: text('Direction', { label: 'Direction', room: 24 }),
        directions: {
          longOnly: text('Long only', { label: 'Long only', room: 30 }),
          longAndShort: text('Long and short', { label: 'Long and short', room: 30 }),
        },
        exits: {
          legend: text('Stop and target', { label: 'Switch for stop and target', room: 30 }),
          off: text('Off', { label: 'That switch, off', room: 16 }),
          on: text('On', { label: 'That switch, on', room: 16 }),
        },
        symbolIfEmpty: text('Leave empty to use the chart’s symbol.', {
          label: 'Symbol, if empty',
          room: 80,
        }),
        sizeIsWrong: text('Enter a number above 0.', { label: 'Size is wrong', room: 60 }),
        longAndShort: {
          all: lines(
            'An entry in the other direction must close the old position first. Check with a test order that your bridge does so.',
            { label: 'Both directions, every bridge', room: 260 },
          ),
          pineconnector: lines(
            'A hedging account in MetaTrader 5 may keep both positions. Use a netting account, and the Expert Advisor for MT5 from version 3.51.1 on.',
            { label: 'Both directions, PineConnector', room: 260 },
          ),
        },
        settings: text('In the script’s settings', { label: 'Settings of the script', room: 48 }),
        messageFormat: text('Message format', { label: 'Format of the message', room: 40 }),
        sendExits: text('Send stop and target to the bridge', {
          label: 'Send stop and target',
          room: 60,
        }),
        anyFormat: text('any (not used)', { label: 'Any format', room: 60 }),
        box: text('In the alert’s message box', { label: 'Box of the alert', room: 48 }),
        copy: text('Copy message', { label: 'Copy', room: 24 }),
        copied: text('Copied. Paste it over what is in the box.', { label: 'Copied', room: 80 }),
        refused: lines(
          'Your browser blocked copying. The message is selected: press Ctrl C (Mac: ⌘ C).',
          { label: 'The browser did not allow it', room: 200 },
        ),
        fillIn: text('Fill it in at TradingView, not on this page.', {
          label: 'What is filled in later',
          room: 80,
        }),
        source: text('The format at', { label: 'Source', room: 30 }),
        readOn: text('checked on', { label: 'Read on', room: 24 }),
        untried: lines(
          'We made it from that page and tested it without an account there. Only a trial shows',
          { label: 'Not tried', room: 200 },
        ),
        beforeSave: text('Before you press Save', { label: 'Before saving', room: 48 }),
        afterFill: text('After the first fill', { label: 'After the first order', room: 48 }),
      },
    ),
    guide: part(
      { label: 'Guide', shownWith: 'our guide' },
      {
        heading: text('The setup guide', { label: 'Heading', where: 'Above the guide.', room: 40 }),
        text: lines(
          'Five steps to a running simulation, three more to alerts. Press a step to open it.',
          {
            label: 'Text',
            where: 'Below the heading.',
            room: 200,
            withOwn: {
              script:
                'Five steps to the running script, three more to alerts. Press a step to open it.',
            },
          },
        ),
        minute: text('min', { label: 'Minutes, short', where: 'On the axis.', room: 8 }),
      },
    ),
    address: part(
      { label: 'Address' },
      {
        heading: text('Your address', {
          label: 'Heading',
          where: 'Above "Unsubscribe".',
          room: 40,
        }),
        unsubscribe: text('Unsubscribe', { label: 'Unsubscribe', where: 'A button.', room: 30 }),
        unsubscribeText: lines('No more email from us. The links on this page keep working.', {
          label: 'Unsubscribe, explained',
          where: 'Below the button.',
          room: 200,
        }),
        left: lines('You are off the list: we send you no email.', {
          label: 'Once they have left',
          where: 'Instead of "Unsubscribe".',
          room: 160,
        }),
        putBack: text('Put me back on the list', {
          label: 'Back on the list',
          where: 'A button, once they have left.',
          room: 40,
        }),
        putBackText: lines('This sends no email. News stays off until you turn it on.', {
          label: 'Back on the list, explained',
          where: 'Below that button.',
          room: 200,
        }),
        erase: {
          summary: text('Erase everything about me', {
            label: 'Erase',
            where: 'Opens the explanation.',
            room: 48,
          }),
          text: lines(
            'This deletes your address, the record of our emails to you, and this page. The links above stop working, so download the files first. It cannot be undone.',
            { label: 'Erase, explained', where: 'Above the button.', room: 320 },
          ),
          button: text('Erase my address and this page', {
            label: 'Button',
            where: 'Erases.',
            room: 48,
          }),
        },
      },
    ),
  },
)

export const personalPage = valuesOf(personalPageTexts)
