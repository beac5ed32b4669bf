import type { Connection, Database } from '../database/database.ts'

/** How the site is doing, as it is judged every minute. In a storm an inbox gets one mail a day. */
export const stormLevels = ['calm', 'watch', 'storm'] as const
export type StormLevel = (typeof stormLevels)[number]

/** `on` and `off` are the owner's word, `auto` leaves it to the judgement. */
export const stormModes = ['on', 'off', 'auto'] as const
export type StormMode = (typeof stormModes)[number]

export interface StormState {
  mode: StormMode
  judged: StormLevel
}

const names = { mode: 'storm-mode', judged: 'storm-judged' }
/** The owner's word holds after this time at the latest. */
const readEveryMs = 200

export async function readStorm(query: Connection): Promise<StormState> {
  const rows = await query
    .selectFrom('settings')
    .selectAll()
    .where('name', 'in', Object.values(names))
    .execute()
  const valueOf = (name: string) => rows.find((row) => row.name === name)?.value
  return {
    mode: stormModes.find((one) => one === valueOf(names.mode)) ?? 'auto',
    judged: stormLevels.find((one) => one === valueOf(names.judged)) ?? 'calm',
  }
}

export async function writeStorm(query: Connection, state: Partial<StormState>): Promise<void> {
  for (const part of ['mode', 'judged'] as const) {
    const value = state[part]
    if (value === undefined) continue
    await query
      .insertInto('settings')
      .values({ name: names[part], value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  }
}

export function levelOf({ mode, judged }: StormState): StormLevel {
  switch (mode) {
    case 'on':
      return 'storm'
    case 'off':
      return 'calm'
    case 'auto':
      return judged
    default:
      return mode satisfies never
  }
}

/** Tells if there is a storm. Under load most calls need no query. */
export function watchStorm({ query }: Pick<Database, 'query'>, now: () => number): () => Promise<boolean> {
  let known = { isStorm: false, readAt: -Infinity }
  return async () => {
    const at = now()
    if (at - known.readAt >= readEveryMs)
      known = { isStorm: levelOf(await readStorm(query)) === 'storm', readAt: at }
    return known.isStorm
  }
}
