import { randomBytes } from 'node:crypto'
import type { Connection } from './database.ts'
import { type SettingName, settingNames } from './setting-names.ts'

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
