import sql, { join } from 'sql-template-tag'
import type { MailTemplate } from '#site/mail/compose-mail.ts'
import type { Reader } from '#server/database/database.ts'

/** Names an announcement as its readers know it: a letter by its subject. */
export function announcementTitle(
  kind: 'version' | 'letter' | 'series',
  name: string,
  subject: string,
): string {
  return kind === 'version' ? `Version ${name}` : `The letter “${subject}”`
}

/** Gives mails the title of what they announce. Null: the starter mail. */
export async function withTitles<Mail extends { announced: string | null }>(
  reader: Reader,
  mails: readonly Mail[],
): Promise<Mail[]> {
  const names = new Set(mails.flatMap(({ announced }) => announced ?? []))
  const titles = await readTitles(reader, [...names])
  return mails.map((mail) => {
    const { announced } = mail
    return { ...mail, announced: announced === null ? null : (titles.get(announced) ?? announced) }
  })
}

interface Titled {
  name: string
  kind: 'version' | 'letter' | 'series'
  /** The content of its template, as JSON. */
  content: string
}

async function readTitles(reader: Reader, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await reader.rows<Titled>(sql`
    select a.name, a.kind, t.content
    from announcements a
    join mail_templates t on t.hash = a.template
    where a.name in (${join([...names])})`)
  const titles = new Map<string, string>()
  for (const { name, kind, content } of rows) {
    const { subject }: MailTemplate = JSON.parse(content) // as keepTemplate wrote it
    titles.set(name, announcementTitle(kind, name, subject))
  }
  return titles
}
