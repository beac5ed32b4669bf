/** The words of the page behind the personal link of the mail. */
export interface PersonalPageTexts {
  readonly title: string
  readonly heading: string
  readonly text: string
  /** For friends. `{site}`: the host of the landing page. */
  readonly share: string
  /** Names the list of the sections for screen readers. */
  readonly sections: string
  readonly script: {
    readonly heading: string
    readonly text: string
    /** The name of a button in TradingView. */
    readonly addToChart: string
    /** Instead of the text, on a phone. */
    readonly textOnPhone: string
    readonly send: string
    /** The subject of that mail, or the title in the phone's share sheet. */
    readonly sendSubject: string
    readonly copy: string
    readonly copied: string
    readonly copiedName: string
    /** The next step, once it is copied. */
    readonly openChart: string
    /** To whoever tried other lengths on the landing page, in this tab. */
    readonly triedLengths: string
    readonly chartUrl: string
    readonly refused: string
    readonly withoutJavaScript: string
    readonly lines: string
    /** The key to the marks beside the lines that send an order. */
    readonly enters: string
    readonly leaves: string
    readonly showAll: string
  }
  readonly files: {
    readonly heading: string
    readonly script: string
    readonly guide: string
    readonly version: string
    readonly checksums: string
    readonly checksum: string
  }
  /** Left out with a script of your own. What a bridge takes is in app/site/kit/bridges/. */
  readonly bridges: {
    readonly heading: string
    readonly text: string
    readonly privacy: string
    /** `{link}`: the terms of TradingView. */
    readonly terms: string
    readonly termsLink: string
    readonly termsUrl: string
    readonly choice: string
    readonly direction: string
    /** As the script's input offers them. */
    readonly directions: {
      readonly longOnly: string
      readonly longAndShort: string
    }
    /** The switch. What it writes is in app/site/kit/bridges/. */
    readonly exits: {
      readonly legend: string
      readonly off: string
      readonly on: string
    }
    readonly symbolIfEmpty: string
    readonly sizeIsWrong: string
    /** Shown with the second direction; by the bridge's id what else to know there. */
    readonly longAndShort: Readonly<Record<string, string>>
    readonly settings: string
    readonly messageFormat: string
    readonly sendExits: string
    readonly anyFormat: string
    readonly box: string
    readonly copy: string
    readonly copied: string
    readonly refused: string
    readonly fillIn: string
    readonly source: string
    readonly readOn: string
    /** Continued by what only the bridge's own log shows: whether …. */
    readonly untried: string
    readonly beforeSave: string
    readonly afterFill: string
  }
  /** Left out if the guide is a PDF of your own. */
  readonly guide: {
    readonly heading: string
    readonly text: string
    readonly minute: string
  }
  readonly address: {
    readonly heading: string
    readonly unsubscribe: string
    readonly unsubscribeText: string
    /** In the place of both, once they have left. */
    readonly left: string
    readonly putBack: string
    readonly putBackText: string
    readonly erase: {
      readonly summary: string
      readonly text: string
      readonly button: string
    }
  }
}

export const personalPage: PersonalPageTexts = {
  title: 'Your starter kit',
  heading: 'Your starter kit.',
  text: 'Made for {address}. This page and its links do not expire.',
  share: 'Send a friend to {site}. This page shows your address.',
  sections: 'On this page',
  script: {
    heading: 'The script',
    text: 'Copy it, paste it into the Pine Editor, press {addToChart}.',
    addToChart: 'Add to chart',
    textOnPhone:
      'TradingView’s editor runs on a computer. Open our email there, or send yourself the link.',
    send: 'Send the link to myself',
    sendSubject: 'My starter kit',
    copy: 'Copy script',
    copied: 'Copied: {lines} lines. Now click into the Pine Editor, select all and paste.',
    copiedName: 'Copied',
    openChart: 'Open a chart on TradingView',
    triedLengths: 'You tried other lengths. Set {fast} and {slow} under Settings.',
    chartUrl: 'https://www.tradingview.com/chart/',
    refused: 'Your browser blocked copying. All lines are selected: press Ctrl C (Mac: ⌘ C).',
    withoutJavaScript:
      'Click or press into the lines: all of them are selected. Then copy: Ctrl C (Mac: ⌘ C).',
    lines: '{lines} lines',
    enters: 'entry order',
    leaves: 'exit order',
    showAll: 'Show all {lines} lines',
  },
  files: {
    heading: 'The two files',
    script: 'Download script',
    guide: 'Download guide',
    version: 'Version {version}',
    checksums: 'Verify the files (SHA-256)',
    checksum: 'SHA-256 {file}',
  },
  bridges: {
    heading: 'Connect your bridge',
    text: 'A bridge turns an alert into an order at your broker. Choose yours to get the right message.',
    privacy:
      'All of this happens in your browser; nothing is sent to us. Don’t enter passwords or keys here. The message shows where they go.',
    terms: '{link} have a section on automated use. Read it before you connect anything.',
    termsLink: 'TradingView’s terms',
    termsUrl: 'https://www.tradingview.com/policies/',
    choice: 'Your bridge',
    direction: 'Direction',
    directions: {
      longOnly: 'Long only',
      longAndShort: 'Long and short',
    },
    exits: {
      legend: 'Stop and target',
      off: 'Off',
      on: 'On',
    },
    symbolIfEmpty: 'Leave empty to use the chart’s symbol.',
    sizeIsWrong: 'Enter a number above 0.',
    longAndShort: {
      all: 'An entry in the other direction must close the old position first. Check with a test order that your bridge does so.',
      pineconnector:
        'A hedging account in MetaTrader 5 may keep both positions. Use a netting account, and the Expert Advisor for MT5 from version 3.51.1 on.',
    },
    settings: 'In the script’s settings',
    messageFormat: 'Message format',
    sendExits: 'Send stop and target to the bridge',
    anyFormat: 'any (not used)',
    box: 'In the alert’s message box',
    copy: 'Copy message',
    copied: 'Copied. Paste it over what is in the box.',
    refused: 'Your browser blocked copying. The message is selected: press Ctrl C (Mac: ⌘ C).',
    fillIn: 'Fill it in at TradingView, not on this page.',
    source: 'The format at',
    readOn: 'checked on',
    untried: 'We made it from that page and tested it without an account there. Only a trial shows',
    beforeSave: 'Before you press Save',
    afterFill: 'After the first fill',
  },
  guide: {
    heading: 'The setup guide',
    text: 'Five steps to a running simulation, three more to alerts. Press a step to open it.',
    minute: 'min',
  },
  address: {
    heading: 'Your address',
    unsubscribe: 'Unsubscribe',
    unsubscribeText: 'No more email from us. The links on this page keep working.',
    left: 'You are off the list: we send you no email.',
    putBack: 'Put me back on the list',
    putBackText: 'This sends no email. News stays off until you turn it on.',
    erase: {
      summary: 'Erase everything about me',
      text: 'This deletes your address, the record of our emails to you, and this page. The links above stop working, so download the files first. It cannot be undone.',
      button: 'Erase my address and this page',
    },
  },
}
