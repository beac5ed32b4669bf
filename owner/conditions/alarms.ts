import sql from 'sql-template-tag'
import { ownerMailText } from '#content/owner-mail.ts'
import { fill } from '#site/text/fill.ts'
import { isWaitOver } from '#server/database/clock.ts'
import { deleteSetting, readSetting, writeSetting } from '#server/database/settings.ts'
import { readFailedVersion } from '#server/site/published-site.ts'
import { countText, timeText } from '#owner/acts/output.ts'
import { readDiskSpace } from '#owner/acts/owned-database.ts'
import { type OwnerMailState, readOwnerMailState } from '#owner/mail/mail-trouble.ts'
import { wordsOfMailTrouble } from '#owner/mail/mail-trouble-words.ts'
import { findInCounts } from './alarm-findings.ts'
import { type OwnerMailDeps, sendOnce } from '#owner/acts/send-once.ts'

const words = ownerMailText.alarm

/**
 * Something that the owner must know at once: one alarm is sent for each name. `over`: its end, in
 * a few words; undefined: that is the owner's own doing.
 */
interface Trouble {
  name: string
  what: string
  text: string
  over?: string
}

/** Kept in a row of settings until the owner was told of the end. Times are ms since 1970. */
interface Alarm extends Trouble {
  since: number
  seenAt: number
}

/** Trouble that comes back within this time has not ended. */
const overAfterMs = 30 * 60_000
const prefix = 'alarm '

/**
 * Mails each trouble once, and its end. A mail that cannot go out is tried again at each check,
 * because it takes the same relay as the mail that is stuck: then the owner hears of the end alone.
 */
export async function sendAlarms(deps: OwnerMailDeps): Promise<void> {
  const { database, now } = deps
  for (const trouble of await findTroubles(deps)) {
    const since = await keepAlarm(deps, trouble)
    const paragraphs = [trouble.text, fill(words.closing, { at: timeText(now()) })]
    const mail = { subject: fill(words.subject, { what: trouble.what }), paragraphs }
    await sendOnce(deps, prefix + trouble.name, String(since), async () => mail)
  }
  const kept = await database.rows<{ value: string }>(
    sql`select value from settings where name like ${`${prefix}%`}`,
  )
  for (const { value } of kept) await endIfOver(deps, JSON.parse(value)) // as keepAlarm wrote it
}

/** Returns when it began. */
function keepAlarm({ database, now }: OwnerMailDeps, trouble: Trouble): Promise<number> {
  const setting = prefix + trouble.name
  return database.transaction(async (transaction) => {
    await transaction.lock(setting)
    const known = await readSetting(transaction, setting)
    const since: number = known === undefined ? now() : JSON.parse(known).since
    await writeSetting(transaction, setting, JSON.stringify({ ...trouble, since, seenAt: now() }))
    return since
  })
}

async function endIfOver(
  deps: OwnerMailDeps,
  { name, what, over, since, seenAt }: Alarm,
): Promise<void> {
  if (!isWaitOver(seenAt + overAfterMs, deps.now(), overAfterMs)) return
  const values = { what, since: timeText(since), until: timeText(seenAt) }
  const writeAllClear = async () => ({
    subject: fill(words.allClear, { what: over ?? '' }),
    paragraphs: [fill(words.wasSo, values)],
  })
  const isTold =
    over === undefined || (await sendOnce(deps, `all-clear ${name}`, String(since), writeAllClear))
  if (isTold) {
    await deps.database.transaction((transaction) => deleteSetting(transaction, prefix + name))
  }
}

/** A relay that was away at the last try is no alarm before mail is stuck. */
function mailAlarm({ trouble, waiting }: OwnerMailState, at: number): Trouble | undefined {
  if (!trouble || trouble.kind === 'away') return undefined
  const timeOf = (moment: number) => `${timeText(moment)} UTC`
  const { what, text, remedy } = wordsOfMailTrouble(trouble, { waiting, at, timeOf })
  const { kind } = trouble
  return { name: kind, what, text: `${text} ${remedy}`.trimEnd(), over: words.mailOver[kind] }
}

async function findTroubles({ database, config, now }: OwnerMailDeps): Promise<Trouble[]> {
  const found: Trouble[] = []
  const reads = database.ownerReads
  const mail = mailAlarm(await readOwnerMailState(reads, config, now()), now())
  if (mail) found.push(mail)
  for (const { kind, count, beside } of await findInCounts(reads, now())) {
    const { what, text, over } = words[kind]
    const values = { count: countText(count), beside: countText(beside) }
    found.push({ name: kind, what, text: fill(text, values), over })
  }
  const disk = await readDiskSpace(config)
  if (disk?.isLow) {
    const megabytes = countText(Math.round(disk.freeBytes / 1e6))
    found.push({ name: 'disk', ...words.disk, text: fill(words.disk.text, { megabytes }) })
  }
  const failed = await readFailedVersion(reads)
  if (failed) {
    const text = fill(words.pageNotUpdated.text, { why: failed.why })
    found.push({ name: 'page', ...words.pageNotUpdated, text })
  }
  const paused = await reads.rows<{ id: number; subject: string; why: string }>(sql`
    select id, subject, paused_why as why from mailings
    where state = 'paused' and paused_why is not null`)
  for (const { id, subject, why } of paused) {
    const { what, text } = words.announcementPaused
    found.push({
      name: `mailing ${id}`,
      what: fill(what, { name: `“${subject}”` }),
      text: fill(text, { why }),
    })
  }
  return found
}
