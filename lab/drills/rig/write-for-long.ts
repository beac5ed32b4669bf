// A child process that writes to a SQLite file in one transaction for a given time, like a long command of the owner's.
import { settingNames } from '#server/database/setting-names.ts'
import { openDatabase } from '#server/database/open-database.ts'

const [file = '', ms = '0'] = process.argv.slice(2)
const database = await openDatabase(`file:${file}`)
await database.query.transaction().execute(async (transaction) => {
  const write = (value: string) =>
    transaction
      .insertInto('settings')
      .values({ name: settingNames.doctor, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  await write('begun')
  process.send?.('writing')
  const end = Date.now() + Number(ms)
  while (Date.now() < end) await write(String(Date.now()))
  await transaction.deleteFrom('settings').where('name', '=', settingNames.doctor).execute()
})
await database.close()
process.disconnect?.()
