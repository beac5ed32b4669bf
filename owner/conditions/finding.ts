import type { Content } from '#content/content.ts'
import type { Config } from '#server/settings/config.ts'
import type { FailedVersion } from '#server/site/published-site.ts'
import { type CommandContext, explainError } from '#owner/acts/command-context.ts'

/** `unknown`: it cannot be checked from here. */
export type State = 'ok' | 'look' | 'wrong' | 'unknown'

export interface Finding {
  /** Stable, for other programs: `dns.spf`. The section is before the dot. */
  id: string
  state: State
  /** A sentence. */
  what: string
  /** Why it matters. */
  why: string
  /** The way to correct it. */
  advice?: string | undefined
  /** To be pasted at the domain's DNS provider. */
  record?: DnsRecord | undefined
}

export interface DnsRecord {
  name: string
  type: 'TXT'
  value: string
}

export interface CheckContext extends Pick<
  CommandContext,
  'environment' | 'folder' | 'now' | 'renderer' | 'resolveTxt'
> {
  /** With what the desk stored. */
  config: Config
  /** The content that visitors and subscribers read. */
  content: Content
  /** The fields whose texts speak of our script or guide, though another is given away. */
  aboutOurs: readonly string[]
  /** The published version, while it is served as an earlier build made it. */
  failedVersion: FailedVersion | undefined
  /** The names of stored settings that are not used, because they are not understood. */
  ignoredSettings: readonly string[]
  /** The owner has not opened the page yet. */
  isHeldBack: boolean
  /** Is undefined if no test mail is wanted. */
  testAddress?: string | undefined
}

/** Empty: there is nothing to check. */
export type Outcome = Finding | Finding[]
type Check = (context: CheckContext, about: Subject) => Outcome | Promise<Outcome>
/** Each stands under the id of its finding, or of its first one. */
export type Checks = Partial<Record<FindingId, Check>>

const whys = {
  'configuration.complete': 'The server does not start while there is an error in it.',
  'configuration.stored': 'The server runs without it.',
  'configuration.public-url': 'Every link in every mail begins with it.',
  'configuration.database-encryption':
    'Without verified TLS, others on the network can read every address.',
  'configuration.sender':
    'Mail from an address that does not exist, or with links to another domain, is refused or lands in spam.',
  'content.placeholders':
    'Visitors and readers see them; a real postal address in the mail is required by law.',
  'content.about-ours': 'Visitors read about a script or a guide that you do not give away.',
  'content.newest-page': 'Visitors get an older page than this program could show.',
  'content.legal-pages':
    'Where you live, the law may require a privacy notice and an imprint on a page that collects addresses, and a postal address in mail.',
  'database.answers': 'Without it no sign-up is accepted.',
  'database.integrity': 'A damaged file loses addresses.',
  'database.stuck-mail': 'People are waiting for the mail they were promised.',
  'database.traces':
    'An erased address can still be read in the database files, and in copies of them.',
  'database.disk': 'On a full disk sign-ups are refused.',
  'site.answers': 'Visitors come here, and so does every link in the mail.',
  'site.client-address':
    'Limits tell visitors apart by their network address. With a wrong one all of them share one limit, or anybody can choose an address.',
  'site.one-click':
    'Gmail and Yahoo show an unsubscribe button and press it for the reader. If it fails, mail lands in spam.',
  'site.share-image': 'A shared link without its picture looks broken.',
  'mail.connects': 'Until it does, sign-ups are stored, but nobody gets the mail.',
  'mail.encrypted': 'Without a verified encrypted connection, others can read password and mail.',
  'mail.login': 'A relay accepts no mail from an unknown sender.',
  'mail.sender': 'A provider sends only for verified domains.',
  'mail.test': 'Only a mail that arrives proves that mail arrives.',
  'dns.spf': 'It tells receivers which servers may send for your domain.',
  'dns.dkim': 'Receivers check our signature with this key. A wrong key is worse than none.',
  'dns.dmarc': 'Gmail and Yahoo require it of everybody who sends a lot of mail.',
}
type FindingId = keyof typeof whys

type MakeFinding = (what: string, advice?: string, record?: DnsRecord) => Finding

/** Makes the findings about one thing, by their state. */
export type Subject = Record<State, MakeFinding>

export function subject(id: FindingId): Subject {
  const why = whys[id]
  const inState =
    (state: State): MakeFinding =>
    (what, advice, record) => ({ id, state, what, why, advice, record })
  return {
    ok: inState('ok'),
    look: inState('look'),
    wrong: inState('wrong'),
    unknown: inState('unknown'),
  }
}

/** Runs checks concurrently. None throws: one that fails is unknown. */
export function startChecks(checks: Checks, context: CheckContext): Promise<Finding[]>[] {
  const byId = Object.entries(checks) as [FindingId, Check][] // the keys of Checks
  return byId.map(async ([id, check]) => {
    const about = subject(id)
    try {
      return [await check(context, about)].flat()
    } catch (error) {
      return [about.unknown(`This could not be checked. ${explainError(error)}`)]
    }
  })
}
