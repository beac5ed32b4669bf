import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import { ownerMailText } from '#content/owner-mail.ts'
import type { Transaction } from '#server/database/database.ts'
import { deleteSetting, readSetting, writeSetting } from '#server/database/settings.ts'
import { readMailState } from '#server/deliveries/mail-state.ts'
import { countText, timeText } from '../command-line/output.ts'
import { sqliteFile } from '../command-line/owned-database.ts'
import { readDiskSpace } from '../doctor/database/disk-space.ts'
import { findInCounts } from './alarm-findings.ts'
import { type OwnerMail, type OwnerMailDeps, sendOnce } from './send-once.ts'

const words = ownerMailText.alarm

/** Something that the owner must know at once. */
interface Trouble {
  /** One alarm is sent for each name. */
  name: string
  /** In a few words. */
  what: string
  text: string
  /** In a few words. Undefined: its end is the owner's own doing. */
  over?: string
}

/** Kept until the owner was told of its end. Times are ms since 1970. */
interface Alarm extends Trouble {
  since: number
  seenAt: number
  isTold: boolean
}

type News = { kind: 'alarm' | 'all-clear'; alarm: Alarm }

/** Trouble that comes back within this time has not ended. */
const overAfterMs = 30 * 60_000
const setting = 'alarms'

/**
 * Mails each trouble once, and its end. A mail that cannot go out is tried again at each check, because it takes the same relay
 * as the mail that is stuck: then the owner hears of it afterwards.
 */
export async function sendAlarms(deps: OwnerMailDeps): Promise<void> {
  const { database, now } = deps
  const troubles = await findTroubles(deps)
  if (troubles.length === 0 && (await readSetting(database, setting)) === undefined) return
  const alarms = await database.transaction((transaction) => updateAlarms(transaction, troubles, now()))
  const news = alarms.flatMap((alarm) => newsOf(alarm, now()))
  if (news.length === 0) return
  const key = hash('sha256', JSON.stringify(news.map(({ kind, alarm }) => [kind, alarm.name, alarm.since])))
  if (await sendOnce(deps, 'alarm', key, () => composeAlarm(news, now())))
    await database.transaction((transaction) => markTold(transaction, news))
}

function newsOf(alarm: Alarm, now: number): News[] {
  if (now - alarm.seenAt >= overAfterMs) return [{ kind: 'all-clear', alarm }]
  return alarm.isTold ? [] : [{ kind: 'alarm', alarm }]
}

async function findTroubles({ database, config, now }: OwnerMailDeps): Promise<Trouble[]> {
  const { trouble, waiting } = await readMailState(database, now())
  const file = sqliteFile(config.databaseUrl)
  const disk = file === undefined ? undefined : await readDiskSpace(file) // a PostgreSQL's is elsewhere
  const paused = await database.rows<{ name: string; why: string }>(sql`
    select name, paused_why as why from announcements where state = 'paused' and paused_why is not null`)
  const counts = await findInCounts(database, now())
  return [
    ...(trouble
      ? [
          {
            name: trouble.kind,
            ...words[trouble.kind](timeText(trouble.since), countText(waiting), trouble.why),
          },
        ]
      : []),
    ...counts.map((found) =>
      found.kind === 'bounces'
        ? { name: found.kind, ...words.bounces(countText(found.bad), countText(found.delivered)) }
        : { name: found.kind, ...words.manySignUps(countText(found.count), countText(found.usual)) },
    ),
    ...(disk?.isLow ? [{ name: 'disk', ...words.disk(countText(Math.round(disk.freeBytes / 1e6))) }] : []),
    ...paused.map(({ name, why }) => ({
      name: `announcement ${name}`,
      ...words.announcementPaused(name, why),
    })),
  ]
}

/** Merges what is found now into what is kept. */
async function updateAlarms(
  transaction: Transaction,
  troubles: readonly Trouble[],
  now: number,
): Promise<Alarm[]> {
  const kept = await readAlarms(transaction)
  const known = new Map(kept.map((alarm) => [alarm.name, alarm]))
  for (const trouble of troubles) {
    const { since = now, isTold = false } = known.get(trouble.name) ?? {}
    known.set(trouble.name, { ...trouble, since, isTold, seenAt: now })
  }
  const alarms = [...known.values()].filter(
    ({ over, name }) => over || troubles.some((one) => one.name === name),
  )
  await writeAlarms(transaction, alarms)
  return alarms
}

async function markTold(transaction: Transaction, news: readonly News[]): Promise<void> {
  const told = new Map(news.map(({ kind, alarm }) => [alarm.name, kind]))
  const alarms = (await readAlarms(transaction)).filter(({ name }) => told.get(name) !== 'all-clear')
  await writeAlarms(
    transaction,
    alarms.map((alarm) => ({ ...alarm, isTold: alarm.isTold || told.has(alarm.name) })),
  )
}

async function writeAlarms(transaction: Transaction, alarms: readonly Alarm[]): Promise<void> {
  if (alarms.length === 0) await deleteSetting(transaction, setting)
  else await writeSetting(transaction, setting, JSON.stringify(alarms))
}

async function readAlarms(transaction: Transaction): Promise<Alarm[]> {
  await transaction.lock(setting)
  return JSON.parse((await readSetting(transaction, setting)) ?? '[]') // as writeAlarms wrote it
}

function composeAlarm(news: readonly News[], now: number): OwnerMail {
  const parts = news.map(({ kind, alarm }) => {
    const { what, text, over = '', since, seenAt } = alarm
    return kind === 'alarm'
      ? { heading: what, text }
      : { heading: over, text: words.wasSo(what, timeText(since), timeText(seenAt)) }
  })
  const headings = parts.map(({ heading }) => heading).join(', ')
  const isAlarm = news.some(({ kind }) => kind === 'alarm')
  return {
    subject: isAlarm ? words.subject(headings) : words.allClear(headings),
    paragraphs: [
      ...parts.map(({ heading, text }) => `${heading.toUpperCase()}\n${text}`),
      words.closing(timeText(now)),
    ],
  }
}
