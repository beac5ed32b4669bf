import type { Config } from '#server/configuration/config.ts'
import type { CommandContext } from '../command-line/command-context.ts'
import type { Site } from './site/ask-site.ts'

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

export interface CheckContext extends Pick<CommandContext, 'environment' | 'folder' | 'now' | 'resolveTxt'> {
  config: Config
  /** Asked once, for all checks that need it. */
  site: Promise<Site>
  /** Is undefined if no test mail is wanted. */
  testAddress: string | undefined
}

/** Empty: there is nothing to check. */
export type Outcome = Finding | Finding[]

export interface Check {
  about: Subject
  run(context: CheckContext): Outcome | Promise<Outcome>
  /** Default: 15 s. */
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
