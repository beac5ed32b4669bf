/**
 * The kinds of pages. Pages of a kind have the same script, and the style sheets that the imports
 * of its component reach.
 */
export const pageModules = {
  'landing-page': {
    component: 'app/site/pages/landing-page/landing-page.tsx',
    script: 'app/site/pages/browser/landing-page.tsx',
  },
  'personal-page': {
    component: 'app/site/pages/small-pages/personal-page/personal-page.tsx',
    script: 'app/site/pages/browser/personal-page.ts',
  },
  'not-found': {
    component: 'app/site/pages/small-pages/not-found-page.tsx',
    script: 'app/site/pages/browser/not-found.ts',
  },
  'small-page': {
    component: 'app/site/pages/small-pages/small-pages.tsx',
    script: 'app/site/pages/browser/small-page.ts',
  },
} as const

export type PageModule = keyof typeof pageModules

/** Makes something of each kind of page, by its name. */
export function byModule<Made>(
  make: (module: (typeof pageModules)[PageModule], name: PageModule) => Made,
): Record<PageModule, Made> {
  const made = Object.entries(pageModules).map(([name, module]) => [
    name,
    make(module, name as PageModule), // a key of the table
  ])
  return Object.fromEntries(made) as Record<PageModule, Made> // the same names
}

/**
 * Every page of the site: its kind, and the values that the server fills in for each request. The
 * document itself is in pages.tsx, which the server does not load.
 */
export const pageTable = {
  landing: page('landing-page'),
  'not-found': page('not-found'),
  'kit-not-found': page('not-found'),
  'opens-soon': page('small-page'),
  failure: page('small-page'),
  elsewhere: page('small-page', 'path'),
  privacy: page('small-page', 'mailService', 'others', 'traces'),
  'result-sent': page('small-page', 'address'),
  'result-already-on-list': page('small-page', 'address'),
  'result-invalid': page('small-page', 'address', 'form', 'campaign'),
  'result-slip': page('small-page', 'address', 'meant', 'form', 'campaign'),
  'result-error': page('small-page', 'address', 'form', 'campaign'),
  'result-wait': page('small-page', 'address', 'form', 'campaign', 'time'),
  kit: page('personal-page', 'address', 'token', 'wording'),
  news: page('small-page', 'token', 'wording'),
  announcements: page('small-page', 'address', 'token'),
  unsubscribe: page('small-page', 'address', 'token'),
  unsubscribed: page('small-page', 'address', 'token'),
  block: page('small-page', 'address', 'token'),
  blocked: page('small-page', 'token'),
  unblocked: page('small-page'),
  erased: page('small-page'),
  'erased-until-overwritten': page('small-page'),
}

function page<const Values extends readonly string[]>(module: PageModule, ...values: Values) {
  return { module, values }
}

export type PageName = keyof typeof pageTable

/** The values that the server fills into each page. */
export type RequestValues = {
  readonly [Name in PageName]: Readonly<Record<(typeof pageTable)[Name]['values'][number], string>>
}

/** The parts that the server puts into the personal page, as HTML. */
export interface KitParts {
  readonly whatChanged: string
  readonly leaving: string
  readonly testAddress: string
}

/**
 * The visitor's consent to news, on the personal page. The server puts in the part
 * `what-changed-VERSION-STATE` and fills in {token}, {since}, the day of the consent, and
 * {wording}, the hash of the words.
 */
export const announcementStates = ['on', 'off', 'left'] as const
export type AnnouncementState = (typeof announcementStates)[number]
