import { lettersOf } from '#owner/acts/read-csv.ts'

export type ImportField = 'email' | 'signedUpAt' | 'consentedAt' | 'cover' | 'status'
/** The position of each field in a line, from 0. */
export type ImportColumns = Partial<Record<ImportField, number | undefined>>

/** The fields that a column is found for by its name. The first name is that of our own export. */
const columnNames: Record<Exclude<ImportField, 'status'>, string[]> = {
  email: ['email', 'emailaddress'],
  signedUpAt: ['signedupat', 'createdat', 'subscribedat', 'optintime'],
  consentedAt: ['announcementsagreedat', 'consentedat'],
  cover: ['announcementscover'],
}

/** Columns that say what somebody is: active, unsubscribed, … */
const statusColumn =
  /^(?:(?:email|contact|member|subscriber|subscription)?(?:status|state)|(?:is)?subscribed(?!at$|on$|date$|time$).*)$/
/** Columns that say if or when somebody left. */
const leftColumn =
  /^(?:is|has)?(?:unsub(?:scribed?)?|opt(?:ed)?out|bounced|hardbounced?|complained|blocked|blocklisted|blacklisted|suppressed|clean(?:ed)?)(?:at|on|date|time)?$/

/** Words of other tools for somebody who is not to be mailed. */
const leftWords = new Set(
  `unsubscribed unsubscribe nonsubscribed notsubscribed unsub optedout optout left removed deleted
  archived inactive cancelled canceled disabled cleaned junk bounced bounce hardbounced hardbounce
  softbounced undeliverable invalid complained complaint complainer spam spamcomplaint abuse
  reported blocked blocklisted blacklisted suppressed unconfirmed unactivated`.split(/\s+/),
)
const no = new Set(['no', 'n', '0', 'false'])
const yes = new Set(['yes', 'y', 'true', '1', 'x'])
/** A day or a time in any notation, or seconds since 1970. */
const looksLikeTime = /\d{1,4}[-/.]\d{1,2}|^\d{10,13}$/

/** Finds columns by their names. */
export function findColumns(header: readonly string[]): ImportColumns {
  const names = header.map(lettersOf)
  const columns: ImportColumns = {}
  for (const [field, known] of Object.entries(columnNames)) {
    const index = names.findIndex((name) => known.includes(name))
    if (index !== -1) columns[field as keyof typeof columnNames] = index // they are its keys
  }
  return columns
}

/** A column that may say that somebody has left. */
export interface LeftColumn {
  index: number
  name: string
  /**
   * `status`: by a word, or false. `subscribed`: by a word or a no. `left`: by a word, a yes or a time.
   */
  kind: 'status' | 'subscribed' | 'left'
}

/** `chosen`: the position of the only one, chosen by hand. Undefined: found by their names. */
export function findLeftColumns(
  header: readonly string[],
  chosen: number | undefined,
): LeftColumn[] {
  if (chosen !== undefined) {
    return [{ index: chosen, name: header[chosen] ?? '', kind: 'subscribed' }]
  }
  return header.flatMap((name, index) => {
    const letters = lettersOf(name)
    if (leftColumn.test(letters)) return { index, name, kind: 'left' as const }
    if (!statusColumn.test(letters)) return []
    return { index, name, kind: letters.includes('subscribed') ? 'subscribed' : 'status' } as const
  })
}

/** Only a value that is known to mean it counts: a column "State" may hold "CA". */
export function saysLeft({ kind }: LeftColumn, value: string): boolean {
  const word = value.toLowerCase()
  if (leftWords.has(lettersOf(word))) return true
  if (kind === 'left') return yes.has(word) || looksLikeTime.test(word)
  return word === 'false' || (kind === 'subscribed' && no.has(word))
}
