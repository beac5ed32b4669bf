import sql from 'sql-template-tag'
import { type Config, readConfig, usesLocalInbox } from '../configuration/config.ts'
import { isLoopback } from '../configuration/loopback.ts'
import type { Database, Reader, Transaction } from '../database/database.ts'
import { deleteSetting, writeSetting } from '../database/settings.ts'

/** The variables that the desk may store. What the environment sets wins over them. */
export const storedVariables = [
  'PUBLIC_URL',
  'SMTP_URL',
  'MAIL_API',
  'MAIL_API_KEY',
  'MAIL_FROM',
  'SUPPORT_EMAIL',
  'OWNER_EMAIL',
] as const

export type StoredVariable = (typeof storedVariables)[number]
export type StoredSettings = Partial<Record<StoredVariable, string>>

/** The settings of the environment, and those that the desk stored where it sets nothing. */
export interface SiteSettings {
  readonly config: Config
  /** As they are stored, secrets too. */
  readonly stored: StoredSettings
  /** The variables that the environment sets. */
  readonly fixed: ReadonlySet<string>
  /** False: an image at a host, which does not know yet by what address it is reached. */
  readonly isAddressKnown: boolean
  /** True until the owner opens the page: strangers read that it opens soon. */
  readonly isHeldBack: boolean
}

/** Holds the settings of now. Read `current` at each use. */
export interface SettingsHolder {
  readonly current: SiteSettings
  /** Reads what is stored. Every instance does so every 2 s, and at once after its own change. */
  refresh(): Promise<void>
  /** `follow` runs after a change, before `refresh` resolves. */
  onChange(follow: () => Promise<void>): void
}

const prefix = 'site '
const opened = 'site opened'

/** `fixed`: what the environment says. */
export async function holdSettings(fixed: Config, reader: Reader): Promise<SettingsHolder> {
  const followers: (() => Promise<void>)[] = []
  let read = await readStored(reader)
  let current = settingsFrom(fixed, read)
  let isFollowed = true
  let last = Promise.resolve()

  async function readAgain(): Promise<void> {
    const now = await readStored(reader, read)
    if (isFollowed && JSON.stringify(now) === JSON.stringify(read)) return
    read = now
    current = settingsFrom(fixed, now)
    isFollowed = false // until all of them did: otherwise the next reading calls them again
    for (const follow of followers) await follow()
    isFollowed = true
  }

  return {
    get current() {
      return current
    },
    refresh() {
      last = last.catch(() => {}).then(readAgain)
      return last
    },
    onChange(follow) {
      followers.push(follow)
    },
  }
}

/** The configuration with what the desk stored. */
export async function readSiteSettings(fixed: Config, reader: Reader): Promise<SiteSettings> {
  return settingsFrom(fixed, await readStored(reader))
}

/** Reads the environment alone. */
export function settingsWithoutDatabase(fixed: Config): SiteSettings {
  return settingsFrom(fixed, { variables: {}, isOpened: false })
}

/** A variable that is undefined is deleted. */
export async function writeSiteSettings(
  transaction: Transaction,
  changed: Partial<Record<StoredVariable, string | undefined>>,
): Promise<void> {
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) await deleteSetting(transaction, prefix + name)
    else await writeSetting(transaction, prefix + name, value)
  }
}

/** From now on strangers see the page. `now`: ms since 1970. */
export function openSite(database: Database, now: number): Promise<void> {
  return database.transaction((transaction) => writeSetting(transaction, opened, String(now)))
}

interface Stored {
  variables: StoredSettings
  isOpened: boolean
}

/** Whoever has subscribers has opened the page: once seen, that is not asked again. */
async function readStored(reader: Reader, before?: Stored): Promise<Stored> {
  const rows = await reader.rows<{ name: string; value: string }>(
    sql`select name, value from settings where name like ${`${prefix}%`} order by name`,
  )
  const kept = new Map(rows.map(({ name, value }) => [name, value]))
  const variables: StoredSettings = {}
  for (const name of storedVariables) {
    const value = kept.get(prefix + name)
    if (value !== undefined) variables[name] = value
  }
  const isOpened =
    kept.has(opened) ||
    before?.isOpened === true ||
    (await reader.row(sql`select 1 from subscribers limit 1`)) !== undefined
  return { variables, isOpened }
}

function settingsFrom(fixed: Config, { variables, isOpened }: Stored): SiteSettings {
  const config = withStored(fixed, variables)
  const isLocal = isLoopback(new URL(config.publicUrl).hostname)
  const isServedHere = !config.production && isLoopback(config.host)
  const isAddressKnown = config.variablesSet.has('PUBLIC_URL') || isServedHere
  return {
    config,
    stored: variables,
    fixed: fixed.variablesSet,
    isAddressKnown,
    isHeldBack: !isOpened && (config.production || !isLocal || !isAddressKnown),
  }
}

/** A stored value that is not understood any more counts as missing. */
function withStored(fixed: Config, stored: StoredSettings): Config {
  const isFixed = (name: StoredVariable) => fixed.variablesSet.has(name)
  const hasFixedService = isFixed('SMTP_URL') || isFixed('MAIL_API')
  const usable: Record<string, string> = {}
  for (const [name, value] of Object.entries(stored)) {
    const isOfService = /^(?:SMTP_URL|MAIL_API)/.test(name)
    if (!isFixed(name as StoredVariable) && !(isOfService && hasFixedService)) usable[name] = value
  }
  if (Object.keys(usable).length === 0) return fixed
  const read = readConfig({ ...usable, PORT: String(fixed.port || 3000) })
  if ('faults' in read) return fixed
  const own = read.config
  const isStored = (name: StoredVariable) => usable[name] !== undefined
  const mailFrom = isStored('MAIL_FROM') ? own.mailFrom : fixed.mailFrom
  const config = {
    ...fixed,
    mailFrom,
    variablesSet: fixed.variablesSet.union(new Set(Object.keys(usable))),
  }
  config.senderDomain = mailFrom.address.split('@')[1]!.toLowerCase()
  if (isStored('PUBLIC_URL')) {
    config.publicUrl = own.publicUrl
    if (!fixed.variablesSet.has('FUNCTIONS_URL')) config.functionsUrl = own.functionsUrl
  }
  if (isStored('SMTP_URL') || isStored('MAIL_API')) {
    config.smtpUrl = own.smtpUrl
    config.mailApi = own.mailApi
  }
  if (isStored('OWNER_EMAIL')) config.ownerEmail = own.ownerEmail
  if (isStored('SUPPORT_EMAIL')) config.supportEmail = own.supportEmail
  else if (isStored('MAIL_FROM') && !isFixed('SUPPORT_EMAIL')) {
    config.supportEmail = own.supportEmail
  }
  config.hasLocalInbox = usesLocalInbox(config)
  return config
}
