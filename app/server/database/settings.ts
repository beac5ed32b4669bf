import { randomBytes } from 'node:crypto'
import type { Connection } from './database.ts'

/** Every row of the table settings. A released name stays as it is, because updates and backups have rows of older versions. */
export const settingNames = {
  /** The key of every keyed hash. */
  secret: 'secret',
  /** How many people were erased. */
  erased: 'erased',
  /** Since when openings are recorded: KEEP_UNOPENED_DAYS begins for nobody before. */
  unopenedCountedSince: 'unopened-counted-since',
  /** When mail last left the queue. */
  mailFlow: 'mail-flow',
  /** The owner's storm mode: `on`, `off` or `auto`. */
  stormMode: 'storm-mode',
  /** The level of the last assessment, and the minutes that it uses. */
  stormJudged: 'storm-judged',
  stormWatch: 'storm-watch',
  /** The state that the owner was last notified of. */
  stormTold: 'storm-told',
  /** Which weekly report was sent last. */
  weeklyReport: 'weekly-report',
  /** The alarms that were sent, and those still to be sent. */
  alarm: 'alarm',
  /** One part for each time that an older backup took the database's place. */
  history: 'history',
  /** When a backup replaced a database from which nothing could be carried over. */
  lossyRestore: 'restored-unknowing',
  /** Topics of Amazon SNS that the owner confirmed, and those that wait. */
  snsTopics: 'sns-topics',
  /** The hash of the webhook's URL that answered 410. */
  webhookGone: 'webhook gone',
  /** The hash of OWNER_EMAIL, to whom the desk belongs. */
  deskOwner: 'desk-owner',
  /** Written and rolled back by the doctor. */
  doctor: 'doctor was here',
} as const

/** Begins the names of several rows, each with a number or an identifier at its end. */
export const settingPrefixes = {
  /** Erasures whose last traces are still in the files. */
  pendingScrub: 'scrub owed ',
  /** The pause of an announcement that the owner was notified of. */
  announcement: 'announcement ',
} as const

type ValueOf<Names> = Names[keyof Names]
export type SettingName = ValueOf<typeof settingNames> | `${ValueOf<typeof settingPrefixes>}${string}`

/** The value that the setting has, or else gets now. Instances that ask at the same moment agree on one. */
export async function readOrSet(connection: Connection, name: SettingName, fresh: string): Promise<string> {
  await connection
    .insertInto('settings')
    .values({ name, value: fresh })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const value = await readSetting(connection, name)
  if (value === undefined) throw new Error(`The setting "${name}" was deleted meanwhile`)
  return value
}

export async function readSetting(connection: Connection, name: SettingName): Promise<string | undefined> {
  const settings = connection.selectFrom('settings').select('value')
  return (await settings.where('name', '=', name).executeTakeFirst())?.value
}

export async function writeSetting(connection: Connection, name: SettingName, value: string): Promise<void> {
  await connection
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** The key of every keyed hash, made at the first start and shared by all instances of a database. */
export function readSecret(connection: Connection): Promise<string> {
  return readOrSet(connection, settingNames.secret, randomBytes(32).toString('base64url'))
}
