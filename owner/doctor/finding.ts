import type { Config } from '#server/config.ts'
import type { Outside } from '../command-line/command.ts'
import type { Site } from './ask-site.ts'

/** `unknown`: it cannot be looked at from here. */
export type State = 'ok' | 'look' | 'wrong' | 'unknown'

export interface Finding {
  /** Stays the same, for other programs: `dns.spf`. Before the dot is the section. */
  id: string
  state: State
  /** A sentence. */
  what: string
  /** Why it matters. */
  why: string
  /** What to do, where something is to be done. */
  advice?: string | undefined
  /** To be pasted at the domain's DNS provider. */
  record?: DnsRecord | undefined
}

export interface DnsRecord {
  name: string
  type: 'TXT'
  value: string
}

/** What all checks stand on. */
export interface Means extends Pick<Outside, 'environment' | 'folder' | 'now' | 'resolveTxt'> {
  config: Config
  /** Asked once for all that look at it. */
  site: Promise<Site>
  /** Undefined: no test mail is wanted. */
  testAddress: string | undefined
}

export interface Check {
  about: Subject
  look(means: Means): Promise<Finding[]>
  /** After which it is given up. */
  limitMs?: number
}

/** Makes the findings about one thing. */
export function subject(id: string, why: string) {
  const inState = (state: State) => (what: string, advice?: string, record?: DnsRecord) => {
    const finding: Finding = { id, state, what, why, advice, record }
    return finding
  }
  return {
    ok: (what: string) => inState('ok')(what),
    look: inState('look'),
    wrong: inState('wrong'),
    unknown: inState('unknown'),
  }
}

export type Subject = ReturnType<typeof subject>
