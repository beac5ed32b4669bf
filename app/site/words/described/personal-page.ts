import type { Content } from '#content/content.ts'
import { type DescriptionOf, lines, link, text } from './describe.ts'

type Page = Content['personalPage']

const hidden = { hidden: true } as const

const script: DescriptionOf<Page['script']> = {
  heading: text('Heading', 'Above the script.', 40),
  text: lines('Text', 'Below the heading.', 200),
  addToChart: text('Name of a button in TradingView', 'In the text.', 40),
  textOnPhone: lines('Text on a phone', 'Instead of the text.', 200),
  send: text('Send the link', 'The button on a phone.', 40),
  sendSubject: text('Subject of that mail', 'Or the title in the phone’s share sheet.', 60),
  copy: text('Copy', 'The button above the script.', 24, { drawn: ['guide'] }),
  copied: lines('Copied', 'After a press of the button.', 160),
  copiedName: text('The button, once copied', 'After a press of the button.', 24),
  openChart: text('The next step', 'Once it is copied.', 60),
  triedLengths: text('Other lengths', 'To whoever tried them on the page.', 120),
  chartUrl: link('Link of the next step', 'Once it is copied.'),
  refused: lines('The browser did not allow it', 'After a press of the button.', 200),
  withoutJavaScript: lines('How to copy without JavaScript', 'Above the script.', 200),
  lines: text('Lines', 'Below the name of the file.', 24, { needs: ['lines'] }),
  enters: text('Mark of an entry', 'Beside the lines of the script.', 16),
  leaves: text('Mark of an exit', 'Beside the lines of the script.', 16),
  showAll: text('Show all', 'The button below the first lines.', 40, { needs: ['lines'] }),
}

const files: DescriptionOf<Page['files']> = {
  heading: text('Heading', 'Above the two files.', 40),
  script: text('Download the script', 'A button.', 30),
  guide: text('Download the guide', 'A button.', 30),
  version: text('Version', 'Beside each file.', 30, { needs: ['version'] }),
  checksums: text('Checksums', 'Opens the checksums.', 60),
  checksum: text('Checksum of a file', 'Before the checksum.', 40, { needs: ['file'] }),
}

const bridge = 'In "Connect your bridge", only with our script.'

const bridges: DescriptionOf<Page['bridges']> = {
  heading: text('Heading', bridge, 40, { drawn: ['guide'] }),
  text: lines('Text', bridge, 200),
  privacy: lines('Privacy', bridge, 260),
  terms: lines('TradingView’s terms', bridge, 200, { needs: ['link'] }),
  termsLink: text('Words of the link', bridge, 40),
  termsUrl: link('Link to the terms', bridge),
  choice: text('Choice of the bridge', bridge, 30),
  direction: text('Direction', bridge, 24),
  directions: {
    longOnly: text('Long only', bridge, 30),
    longAndShort: text('Long and short', bridge, 30),
  },
  exits: {
    legend: text('Switch for stop and target', bridge, 30),
    off: text('That switch, off', bridge, 16),
    on: text('That switch, on', bridge, 16),
  },
  symbolIfEmpty: text('Symbol, if empty', bridge, 80),
  sizeIsWrong: text('Size is wrong', bridge, 60),
  longAndShort: {
    all: lines('Both directions, every bridge', bridge, 260),
    pineconnector: lines('Both directions, PineConnector', bridge, 260),
  },
  settings: text('Settings of the script', bridge, 48),
  messageFormat: text('Format of the message', bridge, 40),
  sendExits: text('Send stop and target', bridge, 60),
  anyFormat: text('Any format', bridge, 60),
  box: text('Box of the alert', bridge, 48),
  copy: text('Copy', bridge, 24),
  copied: text('Copied', bridge, 80),
  refused: lines('The browser did not allow it', bridge, 200),
  fillIn: text('What is filled in later', bridge, 80),
  source: text('Source', bridge, 30),
  readOn: text('Read on', bridge, 24),
  untried: lines('Not tried', bridge, 200),
  beforeSave: text('Before saving', bridge, 48),
  afterFill: text('After the first order', bridge, 48),
}

export const personalPage: DescriptionOf<Page> = {
  title: text('Title', 'On the tab of the browser.', 60),
  heading: text('Heading', 'At the top of the personal page.', 48),
  text: lines('Text', 'Below the heading.', 160, { needs: ['address'] }),
  share: lines('For friends', 'Below the heading.', 160, { needs: ['site'] }),
  sections: text('Name of the sections', 'Read out by screen readers.', 48, hidden),
  script,
  files,
  bridges,
  guide: {
    heading: text('Heading', 'Above the guide.', 40),
    text: lines('Text', 'Below the heading.', 200),
    minute: text('Minutes, short', 'On the axis.', 8),
  },
  address: {
    heading: text('Heading', 'Above "Unsubscribe".', 40),
    unsubscribe: text('Unsubscribe', 'A button.', 30),
    unsubscribeText: lines('Unsubscribe, explained', 'Below the button.', 200),
    left: lines('Once they have left', 'Instead of "Unsubscribe".', 160),
    putBack: text('Back on the list', 'A button, once they have left.', 40),
    putBackText: lines('Back on the list, explained', 'Below that button.', 200),
    erase: {
      summary: text('Erase', 'Opens the explanation.', 48),
      text: lines('Erase, explained', 'Above the button.', 320),
      button: text('Button', 'Erases.', 48),
    },
  },
}

const changed = 'In "What changed", from the second version on.'
const news = 'Beside the switch for news.'

export const whatChanged: DescriptionOf<Content['whatChanged']> = {
  heading: text('Heading', changed, 40),
  headingOfNews: text('Heading of the switch', 'To those who have the newest version.', 40),
  ofVersion: text('New in a version', changed, 40, { needs: ['version'] }),
  cameWith: lines('An older version', changed, 160, { needs: ['first', 'newest'] }),
  hasNewest: text('The newest version', changed, 80, { needs: ['version'] }),
  yours: text('Mark of their version', changed, 16),
  firstVersion: text('First version', changed, 60, { drawn: ['guide'] }),
  oldScript: lines('The old script', changed, 260, { drawn: ['guide'] }),
  announcements: {
    label: text('Consent', `${news} A change makes a new wording.`, 120),
    off: text('Off', news, 12),
    on: text('On', news, 12),
    textWhenOff: lines('While it is off', `${news} A change makes a new wording.`, 200),
    textWhenAsked: lines(
      'What is asked for',
      'After a copy or a download, and behind the mail. A change makes a new wording.',
      200,
    ),
    agreed: lines('After the answer', 'After a copy or a download.', 120),
    textWhenOn: lines('While it is on', news, 200, { needs: ['day'] }),
    askButton: text('Button that asks', 'After a copy or a download.', 40),
    textAfterLeaving: lines('After leaving the list', news, 160),
  },
}
