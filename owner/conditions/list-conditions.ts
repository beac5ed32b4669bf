import { readSetting } from '#server/database/settings.ts'
import { readPublished } from '#server/site/versions/versions.ts'
import type { ServerContext } from '#server/start/context.ts'
import { signedInAtSetting } from '#owner/acts/desk-request.ts'
import { checkUpOf, conditionsOf } from './check-up/check-up.ts'
import { type Condition, severities } from './condition.ts'
import { judge } from './judge.ts'
import { readSince } from './alarms/open-since.ts'
import { readState } from './read-state.ts'

type Server = Pick<ServerContext, 'config' | 'settings' | 'site' | 'database' | 'secret' | 'now'>

/**
 * The conditions that may need the owner, the gravest first: Ready, Today, Check-up and the alarms
 * have them in common.
 */
export async function listConditions(server: Server): Promise<Condition[]> {
  const { config, site, database, secret } = server
  const reader = database.ownerReads
  const settings = { ...server.settings.current, config }
  const state = await readState({
    settings,
    content: site.current.content,
    published: await readPublished(reader),
    reader,
    secret,
    now: server.now(),
  })
  const signedInAt = await readSetting(reader, signedInAtSetting)
  const since = await readSince(reader)
  return [...state, ...conditionsOf(checkUpOf({ site }))]
    .map((condition) => judge(condition, { settings, signedInAt }))
    .map((condition) => ({ ...condition, since: condition.since ?? since.get(condition.id) }))
    .toSorted(byGravity)
}

function byGravity(one: Condition, other: Condition): number {
  return severities.indexOf(one.severity) - severities.indexOf(other.severity)
}
