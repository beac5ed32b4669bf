/** Where the inbox of an address opens in a browser. */
interface Webmail {
  readonly name: string
  /** The plain inbox. */
  readonly url: string
  /** The start of a search's address; the words follow it, percent-encoded. Left out where a link cannot carry a search. */
  readonly searchUrl?: string
}

const gmail: Webmail = {
  name: 'Gmail',
  url: 'https://mail.google.com/mail/',
  // in:anywhere also looks in spam
  searchUrl: 'https://mail.google.com/mail/#search/in%3Aanywhere+',
}
const outlook: Webmail = { name: 'Outlook', url: 'https://outlook.live.com/mail/' }
const yahoo: Webmail = {
  name: 'Yahoo Mail',
  url: 'https://mail.yahoo.com/',
  searchUrl: 'https://mail.yahoo.com/d/search/keyword=',
}
const icloud: Webmail = { name: 'iCloud Mail', url: 'https://www.icloud.com/mail/' }
const proton: Webmail = {
  name: 'Proton Mail',
  url: 'https://mail.proton.me/',
  searchUrl: 'https://mail.proton.me/u/0/all-mail#keyword=',
}

export const webmailByDomain: Readonly<Record<string, Webmail>> = {
  'gmail.com': gmail,
  'googlemail.com': gmail,
  'outlook.com': outlook,
  'hotmail.com': outlook,
  'live.com': outlook,
  'msn.com': outlook,
  'yahoo.com': yahoo,
  'yahoo.co.uk': yahoo,
  'icloud.com': icloud,
  'me.com': icloud,
  'mac.com': icloud,
  'proton.me': proton,
  'protonmail.com': proton,
  'pm.me': proton,
  'aol.com': { name: 'AOL Mail', url: 'https://mail.aol.com/' },
  'gmx.com': { name: 'GMX', url: 'https://www.gmx.com/' },
  'gmx.net': { name: 'GMX', url: 'https://www.gmx.net/' },
  'gmx.de': { name: 'GMX', url: 'https://www.gmx.net/' },
  'web.de': { name: 'WEB.DE', url: 'https://web.de/' },
  'fastmail.com': {
    name: 'Fastmail',
    url: 'https://app.fastmail.com/mail/',
    searchUrl: 'https://app.fastmail.com/mail/search:',
  },
  'zoho.com': { name: 'Zoho Mail', url: 'https://mail.zoho.com/' },
}
