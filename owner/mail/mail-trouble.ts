import type { Config } from '#server/settings/config.ts'
import type { Reader } from '#server/database/database.ts'
import { quietShare, readHourOfMail } from '#server/deliveries/hand-overs.ts'
import { type MailState, readMailState } from '#server/deliveries/mail-state.ts'

/** The reason why starter mail waits, as the owner is told: at the desk and in alarms. */
export type OwnerMailTrouble =
  /**
   * `away`: the relay took no mail when it was last tried. `refusing`: it says the same about
   * people of different domains.
   */
  | { kind: 'away' | 'refusing' | 'stuck' | 'late'; since: number; why: string }
  /** The hour's ceiling is used up, which is no fault. `roomAt`: ms since 1970. */
  | { kind: 'full'; since: number; allowed: number; used: number; roomAt: number }

export interface OwnerMailState extends Omit<MailState, 'trouble'> {
  trouble: OwnerMailTrouble | undefined
}

/** Reads the state of the mail, and tells a ceiling that is reached from a fault. */
export async function readOwnerMailState(
  reader: Reader,
  { siteMailsPerHour }: Pick<Config, 'siteMailsPerHour'>,
  now: number,
): Promise<OwnerMailState> {
  const state = await readMailState(reader, now)
  const { relayAway, sameRefusals, trouble } = state
  if (sameRefusals && trouble?.kind !== 'stuck') {
    const { since, why } = sameRefusals
    return { ...state, trouble: { kind: 'refusing', since, why } }
  }
  if (relayAway) {
    const { since, why } = relayAway
    return { ...state, trouble: trouble ?? { kind: 'away', since, why } }
  }
  if (!trouble || siteMailsPerHour === Infinity) return { ...state, trouble }
  const least = Math.ceil(siteMailsPerHour * (1 - quietShare))
  const { used } = await readHourOfMail(reader, now, least)
  if (used < least) return { ...state, trouble }
  const limit = used < siteMailsPerHour ? least : siteMailsPerHour
  const { roomAt } = await readHourOfMail(reader, now, limit)
  const { since } = trouble
  return { ...state, trouble: { kind: 'full', since, allowed: siteMailsPerHour, used, roomAt } }
}

/** As the desk shows it. */
export interface ShownMailState {
  waiting: number
  /** ms since 1970. Null: nothing has been sent. */
  lastSentAt: number | null
  trouble: OwnerMailTrouble | null
}

export async function describeMailState(
  reader: Reader,
  config: Pick<Config, 'siteMailsPerHour'>,
  at: number,
): Promise<ShownMailState> {
  const { waiting, lastHandOverAt, trouble } = await readOwnerMailState(reader, config, at)
  return { waiting, lastSentAt: lastHandOverAt ?? null, trouble: trouble ?? null }
}
