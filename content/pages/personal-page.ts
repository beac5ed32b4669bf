/** The words of the page behind the personal link of the mail. */
export const personalPage = {
  title: 'Your starter kit',
  /** On the dark plate at the right edge. */
  tag: 'kit',
  heading: 'Your starter kit.',
  /** The address stands between the two halves. */
  text: ['Made for ', '. This page and its links do not expire.'],
  /** Names the list of the sections for screen readers. */
  sections: 'On this page',
  script: {
    heading: 'The script',
    /** The name of a button in TradingView stands between the two halves. */
    text: ['Copy it, paste it into the Pine Editor, press ', '.'],
    addToChart: 'Add to chart',
    /** Instead of the text, on a phone. */
    textOnPhone: 'The Pine Editor needs a computer. Send yourself the link and open this page there.',
    send: 'Send the link to myself',
    /** The subject of that mail, or the title in the phone's share sheet. */
    sendSubject: 'My starter kit',
    copy: 'Copy script',
    /** The number of lines stands between the two halves. */
    copied: ['Copied: ', ' lines. Now click into the Pine Editor, select all and paste.'],
    copiedName: 'Copied',
    refused: 'Your browser did not allow it. All lines are selected: press Ctrl C, on a Mac Cmd C.',
    withoutJavaScript:
      'Click or press into the lines: all of them are selected. Then copy: Ctrl C, on a Mac Cmd C.',
    lines: 'lines',
    /** The key to the marks beside the lines that send an order. */
    enters: 'enters',
    leaves: 'leaves',
    showAll: ['Show all ', ' lines'],
  },
  files: {
    heading: 'The two files',
    script: 'Download script',
    guide: 'Download guide',
    version: 'Version',
    checksums: 'Are they ours? Compare the checksums',
    checksum: 'SHA-256',
  },
  /** Left out if the guide is a PDF of your own. */
  guide: {
    heading: 'The setup guide',
    text: 'Seven steps, from an empty chart to a paper test. Press a step to open it.',
    minute: 'min',
  },
  address: {
    heading: 'Your address',
    unsubscribe: 'Unsubscribe',
    unsubscribeText: 'No more email from us. The links on this page keep working.',
    erase: {
      summary: 'Erase everything about me',
      text: 'This deletes your address, your deliveries and this page. The links above stop working, so download the files first. It cannot be undone.',
      button: 'Erase my address and this page',
    },
  },
} as const
