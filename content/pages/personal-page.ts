/** The words of the page behind the personal link of the mail. */
export const personalPage = {
  title: 'Your starter kit',
  /** On the dark plate at the right edge. */
  tag: 'kit',
  heading: 'Your starter kit.',
  /** The address stands between the two halves. */
  text: ['Made for ', '. This page and its links do not expire.'],
  filesHeading: 'The files',
  /** Names and checksums come from the files themselves. */
  files: {
    script: { what: 'The full Pine script', button: 'Download script' },
    guide: { what: 'The 10-minute setup guide', button: 'Download guide' },
  },
  version: 'Version',
  size: 'Size',
  checksum: 'SHA-256',
  /** Over the guide, unless it is a PDF of your own. */
  guideHeading: 'The setup guide',
  listHeading: 'Your address',
  unsubscribe: 'Unsubscribe',
  unsubscribeText: 'No more email from us. The links on this page keep working.',
  erase: {
    summary: 'Erase everything about me',
    text: 'This deletes your address, your deliveries and this page. The links above stop working, so download the files first. It cannot be undone.',
    button: 'Erase my address and this page',
  },
} as const
