import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'

/**
 * Names a letter of the desk as its file would be named. A letter of the same subject as an earlier
 * one is that letter, and its name leads to those who have it; two subjects never share a name.
 */
export async function nameOfLetter(reader: Reader, subject: string): Promise<string> {
  const known = await reader.row<{ name: string }>(sql`
    select name from announcements where kind = 'letter' and subject = ${subject}
    order by id desc limit 1`)
  return known?.name ?? newNameFor(reader, subject)
}

/** No announcement has it yet. */
export async function newNameFor(reader: Reader, subject: string): Promise<string> {
  const base = slugOf(subject)
  const taken = await reader.rows<{ name: string }>(
    sql`select name from announcements where name like ${`${base}%`}`,
  )
  const names = new Set(taken.map(({ name }) => name))
  let name = base
  for (let number = 2; names.has(name); number += 1) name = `${base}-${number}`
  return name
}

function slugOf(subject: string): string {
  const letters = subject.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const name = letters.replaceAll(/[^a-z\d]+/g, '-').slice(0, 60)
  return name.replaceAll(/^-|-$/g, '') || 'letter'
}
