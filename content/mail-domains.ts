/** Where the inbox of an address opens in a browser. */
interface Webmail {
  readonly name: string
  readonly domains: readonly string[]
  /** The plain inbox. */
  readonly url: string
  /**
   * The start of a search's address; the words follow it, percent-encoded. Left out where a link
   * cannot carry a search.
   */
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
  {
    name: 'iCloud Mail',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    url: 'https://www.icloud.com/mail/',
  },
  {
    name: 'Proton Mail',
    domains: ['proton.me', 'protonmail.com', 'pm.me'],
    url: 'https://mail.proton.me/',
    searchUrl: 'https://mail.proton.me/u/0/all-mail#keyword=',
  },
  { name: 'GMX', domains: ['gmx.net', 'gmx.de'], url: 'https://www.gmx.net/' },
  { name: 'WEB.DE', domains: ['web.de'], url: 'https://web.de/' },
]

/**
 * Mail domains, each with the slips of fingers that most likely mean it. Exact matches only: a
 * domain that is not listed is never doubted, and none of these is the domain of a mail service of
 * its own that we know of.
 */
const slipsByDomain = {
  'gmail.com':
    'gmial.com gmai.com gmal.com gamil.com gnail.com gmaill.com gmaik.com gmail.co gmail.cm',
  'googlemail.com': 'googlemial.com',
  'hotmail.com':
    'hotnail.com hotmial.com hotmal.com hotmai.com hotmali.com hotamil.com hormail.com hotmaill.com hotmail.co hotmail.cm',
  'outlook.com': 'outlok.com outllok.com outlool.com outloook.com oulook.com outlook.co',
  'yahoo.com': 'yaho.com yahooo.com yhaoo.com yaoo.com yahoo.cm',
  'icloud.com': 'iclod.com icoud.com icluod.com icloud.co',
  'protonmail.com': 'protonmial.com',
  'proton.me': 'proton.em',
  'web.de': 'web.ed',
}

/** Endings of any domain, each with the slips that most likely mean it. No slip is an ending. */
const slipsByEnding = {
  com: 'con cmo ocm comm coom vom xom cpm',
  net: 'nte',
  org: 'ogr orgg',
}

function bySlip(slips: Record<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(slips).flatMap(([meant, all]) => all.split(' ').map((slip) => [slip, meant])),
  )
}

/** The domain meant, by the slip. */
export const addressSlips = bySlip(slipsByDomain)
/** The ending meant, by the slip. */
export const endingSlips = bySlip(slipsByEnding)
