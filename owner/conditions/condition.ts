import type { DeskPlace } from '#contract/desk-paths.ts'

/**
 * `blocks`: an error that keeps the page from being opened. `not-checked`: it cannot be judged from
 * here, or not yet. The gravest first.
 */
export const severities = ['blocks', 'error', 'warning', 'not-checked', 'fine'] as const
export type Severity = (typeof severities)[number]

/** Something that is so, or not, and that may need the owner. */
export interface Condition {
  /** Stable, for other programs: `dns.spf`. */
  id: string
  severity: Severity
  /** One sentence. */
  what: string
  /** The reason why it matters. */
  why: string
  /** The thing to press or to change, and where. */
  advice?: string | undefined
  /** The view where that is done. */
  place?: DeskPlace | undefined
  record?: PastedRecord | undefined
  /** The time since which it is known, in ms since 1970. */
  since?: number | undefined
}

/** To be copied, part by part, to wherever it belongs. */
export interface PastedRecord {
  name: string
  /** `TXT`, `A`: at the domain's DNS provider. `setting`: of the server. */
  type: 'TXT' | 'A' | 'setting'
  value: string
}

/** Why each matters. A condition whose reason has figures in it gives its own. */
const whys = {
  'script.given': 'It is what visitors sign up for.',
  'guide.given': 'It says how to set the script up.',
  'colour.chosen': 'Page, mail, guide, icon and share picture have it.',
  'you.name': 'They sign the page and every mail. The law requires a postal address in mail.',
  'words.placeholders': 'Visitors and readers see them.',
  'mail-service.works': 'Until mail goes out, sign-ups are kept, but nobody gets the script.',
  'address.public': 'Visitors open your page there, and every link in every mail begins with it.',
  'mail.stuck': 'People wait for the mail that they were promised.',
  'mail.refusing': 'People wait for the mail that they were promised.',
  'mail.late': 'People wait for the mail that they were promised.',
  'mail.full': 'People wait for the mail that they were promised.',
  'mail.away': 'If it stays away, people wait for their mail.',
  'mail.returned': 'Mail servers begin to refuse a sender whose mail often comes back.',
  'letters.paused':
    'If much of your mail comes back, mail servers begin to refuse all of it, including the mail to new sign-ups.',
  'sign-ups.many': 'If nobody has written about you, a program may be filling in the form.',
  'configuration.complete': 'The server does not start while there is an error in it.',
  'configuration.stored': 'The server runs without it.',
  'configuration.database-encryption':
    'Without verified TLS, others on the network can read every address.',
  'configuration.sender':
    'Mail from an address that does not exist, or with links to another domain, is refused or lands in spam.',
  'content.newest-page': 'Visitors get your page as it was before the last update of this program.',
  'content.legal-pages':
    'Where you live, the law may require a privacy notice and an imprint on a page that collects addresses.',
  'database.answers': 'Without it no sign-up is accepted.',
  'database.integrity': 'A damaged file loses addresses.',
  'database.traces':
    'An erased address can still be read in the database files, and in copies of them.',
  'database.disk': 'When it is full no sign-up can be kept: visitors are asked to try again later.',
  'check-up.finished': 'What it did not reach is not known.',
  'site.answers': 'Visitors come here, and so does every link in the mail.',
  'site.ipv4':
    'TradingView sends its alerts over IPv4 only, and many networks of visitors have nothing else.',
  'site.client-address':
    'Limits tell visitors apart by their network address. With a wrong one all of them share one limit, or anybody can choose an address.',
  'site.one-click':
    'Gmail and Yahoo show an unsubscribe button and press it for the reader. If it fails, mail lands in spam.',
  'site.share-image': 'A shared link without its picture looks broken.',
  'mail.connects': 'Until it does, sign-ups are stored, but nobody gets the mail.',
  'mail.encrypted': 'Without a verified encrypted connection, others can read password and mail.',
  'mail.login': 'A mail server accepts no mail from an unknown sender.',
  'mail.sender': 'A provider sends only for verified domains.',
  'mail.test': 'Only a mail that arrives proves that mail arrives.',
  'dns.spf': 'It tells receivers which servers may send for your domain.',
  'dns.dkim': 'Receivers check the signature of your mail with this key.',
  'dns.dmarc': 'Gmail and Yahoo require it of everybody who sends a lot of mail.',
}
export type ConditionId = keyof typeof whys

type More = Pick<Condition, 'place' | 'record' | 'since'> & { why?: string }
type Judge = (what: string, advice?: string, more?: More) => Condition

/** Says what is so of one thing. An error may block the opening of the page: see judge.ts. */
export type About = Record<'fine' | 'warning' | 'error' | 'notChecked', Judge>

export function about(id: ConditionId): About {
  const judge =
    (severity: Severity): Judge =>
    (what, advice, more) => ({ id, severity, what, why: whys[id], advice, ...more })
  return {
    fine: judge('fine'),
    warning: judge('warning'),
    error: judge('error'),
    notChecked: judge('not-checked'),
  }
}

/** True if it needs the owner now. */
export function needsOwner({ severity }: Pick<Condition, 'severity'>): boolean {
  return severity === 'blocks' || severity === 'error'
}
