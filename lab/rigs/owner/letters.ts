import type { Sql } from 'sql-template-tag'
import { CommandError } from '#owner/acts/errors.ts'
import { changeMailing, type MailingAct } from '#owner/mailings/change-mailing.ts'
import { addMailing, type Mailing, type NewMailing, readMailing } from '#owner/mailings/mailings.ts'
import { saveMailing } from '#owner/mailings/save-mailing.ts'
import { dayMs } from '#server/database/clock.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { makeMailingList, type MailingList } from './mailing-list.ts'

export const news: NewMailing = { subject: 'News', words: 'Hello' }

interface People {
  agreed?: string[]
  others?: string[]
}

/** A list without a ceiling on mail. */
export async function listOf({ agreed = [], others = [] }: People): Promise<MailingList> {
  const list = await makeMailingList({ LIMIT_SITE_MAILS_PER_HOUR: 'off' })
  if (agreed.length > 0) await list.signUp(agreed, { agreed: true })
  if (others.length > 0) await list.signUp(others)
  return list
}

/** A list with one person, who agrees at the start. */
export async function seriesList() {
  const list = await listOf({})
  await list.signUp(['ada@example.com'], { at: list.start })
  await list.turn('ada@example.com', 'on')
  let day = 0
  return {
    ...list,
    /** Delivers once a day, up to this one. */
    async days(to: number) {
      for (; day <= to; day += 1) {
        list.at(day * dayMs)
        await list.deliver()
      }
    },
  }
}

/** Adds a draft. Returns its number. */
export function draft({ database, now }: MailingList, letter: NewMailing): Promise<number> {
  return database.transaction((transaction) => addMailing(transaction, letter, now()))
}

/** The acts of the owner on a letter. */
export function act({ database, now }: MailingList, id: number, what: MailingAct): Promise<void> {
  return changeMailing(database, id, { act: what, now: now() })
}

/** The letter as it is stored. */
export async function rowOf({ database }: MailingList, id: number): Promise<Mailing> {
  const mailing = await readMailing(database, id)
  if (!mailing) throw new CommandError('there is no such letter')
  return mailing
}

/** Saves changes of the newest revision, unless `more` names another. */
export async function save(
  list: MailingList,
  id: number,
  changes: Parameters<typeof saveMailing>[1]['changes'],
  more: Partial<Parameters<typeof saveMailing>[1]> = {},
) {
  const { revision } = await rowOf(list, id)
  return saveMailing(list.database, { id, changes, before: {}, revision, ...more }, list.now())
}

/** Runs a statement. Returns how many rows it changed. */
export function change({ database }: MailingList, query: Sql): Promise<number> {
  return database.transaction((transaction) => transaction.run(query))
}

/** Somebody unsubscribes. */
export async function leave(list: MailingList, identity: string): Promise<void> {
  const id = await list.idOf(identity)
  await list.database.transaction(async (transaction) => {
    await leaveTheList(transaction, id, 'unsubscribed', list.now())
    await list.recordEvent(transaction, 'left', id, list.now())
  })
}
