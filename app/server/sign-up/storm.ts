import type { Connection, Database } from '../database/database.ts'
import { readSetting, settingNames, writeSetting } from '../database/settings.ts'

/** The level of suspicious sign-ups, assessed every minute. In a storm an inbox gets one mail a day. */
export const stormLevels = ['calm', 'watch', 'storm'] as const
export type StormLevel = (typeof stormLevels)[number]

/** `on` and `off` are set by the owner; `auto` follows the assessed level. */
export const stormModes = ['on', 'off', 'auto'] as const
export type StormMode = (typeof stormModes)[number]

export interface StormState {
  mode: StormMode
  judged: StormLevel
}

const { stormMode, stormJudged } = settingNames
/** A change by the owner, and the first block, take effect within this time. */
const readEveryMs = 200

export async function readStorm(query: Connection): Promise<StormState> {
  const mode = await readSetting(query, stormMode)
  const judged = await readSetting(query, stormJudged)
  return {
    mode: stormModes.find((one) => one === mode) ?? 'auto',
    judged: stormLevels.find((one) => one === judged) ?? 'calm',
  }
}

export async function writeStorm(query: Connection, { mode, judged }: Partial<StormState>): Promise<void> {
  if (mode) await writeSetting(query, stormMode, mode)
  if (judged) await writeSetting(query, stormJudged, judged)
}

export function levelOf({ mode, judged }: StormState): StormLevel {
  return ({ on: 'storm', off: 'calm', auto: judged } as const)[mode]
}

/** The state of the site that registering a sign-up reads, beside the limits. */
export interface SiteState {
  isStorm: boolean
  /** Some inbox is blocked. */
  hasBlocks: boolean
}

/** Returns a reader of the site's state that caches it briefly, so that under load most calls need no query. */
export function watchSite({ query }: Pick<Database, 'query'>, now: () => number): () => Promise<SiteState> {
  let known: SiteState = { isStorm: false, hasBlocks: false }
  let readAt = -Infinity
  return async () => {
    const at = now()
    if (Math.abs(at - readAt) < readEveryMs) return known // further ahead: the clock was set back
    const block = await query.selectFrom('blocked_addresses').select('hash').limit(1).executeTakeFirst()
    known = { isStorm: levelOf(await readStorm(query)) === 'storm', hasBlocks: block !== undefined }
    readAt = at
    return known
  }
}
