/** Where the inbox of an address opens in a browser. */
interface Webmail {
  readonly name: string
  readonly domains: readonly string[]
  /** The plain inbox. */
  readonly url: string
  /** The start of a search's address; the words follow it, percent-encoded. Left out where a link cannot carry a search. */
  readonly searchUrl?: string
}

export const webmails: readonly Webmail[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    url: 'https://mail.google.com/mail/',
    // in:anywhere also looks in spam
    searchUrl: 'https://mail.google.com/mail/#search/in%3Aanywhere+',
  },
  {
    name: 'Outlook',
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
    url: 'https://outlook.live.com/mail/',
  },
  {
    name: 'Yahoo Mail',
    domains: ['yahoo.com', 'yahoo.co.uk'],
    url: 'https://mail.yahoo.com/',
    searchUrl: 'https://mail.yahoo.com/d/search/keyword=',
  },
  { name: 'iCloud Mail', domains: ['icloud.com', 'me.com', 'mac.com'], url: 'https://www.icloud.com/mail/' },
  {
    name: 'Proton Mail',
    domains: ['proton.me', 'protonmail.com', 'pm.me'],
    url: 'https://mail.proton.me/',
    searchUrl: 'https://mail.proton.me/u/0/all-mail#keyword=',
  },
  { name: 'GMX', domains: ['gmx.net', 'gmx.de'], url: 'https://www.gmx.net/' },
  { name: 'WEB.DE', domains: ['web.de'], url: 'https://web.de/' },
]
