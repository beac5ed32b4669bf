import sql from 'sql-template-tag'
import { type Config, type Environment, readSettings } from './config.ts'
import { isLoopback } from './hosts.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { deleteSetting, writeSetting } from '../database/settings.ts'

export type StoredVariable =
  | 'PUBLIC_URL'
  | 'SMTP_URL'
  | 'MAIL_API'
  | 'MAIL_API_KEY'
  | 'MAIL_FROM'
  | 'SUPPORT_EMAIL'
  | 'OWNER_EMAIL'

/**
 * The variables that the desk may store, by what must be read together. What the environment sets
 * wins over them.
 */
const storedGroups: readonly (readonly StoredVariable[])[] = [
  ['PUBLIC_URL'],
  ['OWNER_EMAIL'],
  ['SMTP_URL', 'MAIL_API', 'MAIL_API_KEY'],
  ['MAIL_FROM'],
  ['SUPPORT_EMAIL'],
]

export type StoredSettings = Partial<Record<StoredVariable, string>>

/** The settings of the environment, and those that the desk stored where it sets nothing. */
export interface SiteSettings {
  readonly config: Config
  /** As they are stored, secrets too. */
  readonly stored: StoredSettings
  /** The stored variables that are not used, because this program does not understand them. */
  readonly ignored: readonly StoredVariable[]
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

export async function holdSettings(environment: Config, reader: Reader): Promise<SettingsHolder> {
  const followers: (() => Promise<void>)[] = []
  let stored = await readStored(reader)
  let current = settingsFrom(environment, stored)
  /** False after a follower has failed: the next refresh then calls all of them again. */
  let haveAllFollowed = true
  let lastRefresh = Promise.resolve()

  async function readAgain(): Promise<void> {
    const latest = await readStored(reader, stored)
    const isChanged = JSON.stringify(latest) !== JSON.stringify(stored)
    if (haveAllFollowed && !isChanged) return
    stored = latest
    current = settingsFrom(environment, stored)
    haveAllFollowed = false
    for (const follow of followers) await follow()
    haveAllFollowed = true
  }

  return {
    get current() {
      return current
    },
    refresh() {
      lastRefresh = lastRefresh.catch(() => {}).then(readAgain)
      return lastRefresh
    },
    onChange(follow) {
      followers.push(follow)
    },
  }
}

/** The configuration with what the desk stored. */
export async function readSiteSettings(environment: Config, reader: Reader): Promise<SiteSettings> {
  return settingsFrom(environment, await readStored(reader))
}

/** Reads the environment alone. */
export function settingsWithoutDatabase(environment: Config): SiteSettings {
  return settingsFrom(environment, { variables: {}, isOpened: false })
}

/**
 * A variable that is undefined is deleted. Of two at once the later one wins whole: halves of both
 * would be understood by nobody.
 */
export async function writeSiteSettings(
  transaction: Transaction,
  changed: Partial<Record<StoredVariable, string | undefined>>,
): Promise<void> {
  await transaction.lock('site-settings')
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) await deleteSetting(transaction, prefix + name)
    else await writeSetting(transaction, prefix + name, value)
  }
}

/** From now on strangers see the page. `now`: ms since 1970. */
export function openSite(transaction: Transaction, now: number): Promise<void> {
  return writeSetting(transaction, opened, String(now))
}

interface Stored {
  variables: StoredSettings
  isOpened: boolean
}

/**
 * A site where somebody signed up counts as opened; people whom the owner added do not open it.
 * `before`: the last reading. The search for a sign-up reads the whole list if there is none, so it
 * waits for another setting: a site that is held back gets no sign-up meanwhile.
 */
async function readStored(reader: Reader, before?: Stored): Promise<Stored> {
  const rows = await reader.rows<{ name: string; value: string }>(
    sql`select name, value from settings where name like ${`${prefix}%`} order by name`,
  )
  const kept = new Map(rows.map(({ name, value }) => [name, value]))
  const variables: StoredSettings = {}
  for (const name of storedGroups.flat()) {
    const value = kept.get(prefix + name)
    if (value !== undefined) variables[name] = value
  }
  if (kept.has(opened) || before?.isOpened === true) return { variables, isOpened: true }
  const isAsBefore = JSON.stringify(before?.variables) === JSON.stringify(variables)
  return { variables, isOpened: !isAsBefore && (await hasSignUp(reader)) }
}

/** A row that an import or the owner made names no form. */
async function hasSignUp(reader: Reader): Promise<boolean> {
  const signUp = await reader.row(sql`select 1 from subscribers where form is not null limit 1`)
  return signUp !== undefined
}

function settingsFrom(environment: Config, { variables, isOpened }: Stored): SiteSettings {
  const { usable, ignored } = understand(variables, environment.source)
  const config = withStored(environment, usable)
  const isLocal = isLoopback(new URL(config.publicUrl).hostname)
  const isServedHere = !config.production && isLoopback(config.host)
  const isAddressKnown = config.source['PUBLIC_URL'] !== undefined || isServedHere
  return {
    config,
    stored: variables,
    ignored,
    fixed: new Set(Object.keys(environment.source)),
    isAddressKnown,
    isHeldBack: !isOpened && (config.production || !isLocal || !isAddressKnown),
  }
}

/**
 * The stored values that may be used. A group with a value that is not understood, as a newer
 * program may have stored it, is left out alone.
 */
function understand(
  stored: StoredSettings,
  fixed: Environment,
): { usable: StoredSettings; ignored: StoredVariable[] } {
  const usable: StoredSettings = {}
  const ignored: StoredVariable[] = []
  for (const group of storedGroups) {
    // A service of the environment replaces all of the stored one.
    if (group.some((name) => fixed[name] !== undefined)) continue
    const names = group.filter((name) => stored[name] !== undefined)
    const values: StoredSettings = Object.fromEntries(names.map((name) => [name, stored[name]]))
    if ('faults' in readSettings({ ...values })) ignored.push(...names)
    else Object.assign(usable, values)
  }
  return { usable, ignored }
}

/** The variables that the values below are made from. */
const readTogether: readonly string[] = [
  'NODE_ENV',
  'HOST',
  'PORT',
  'FUNCTIONS_URL',
  'MAIL_API_BASE_URL',
  ...storedGroups.flat(),
]

function withStored(environment: Config, usable: StoredSettings): Config {
  if (Object.keys(usable).length === 0) return environment
  const source = { ...usable, ...environment.source }
  const read = readSettings(
    Object.fromEntries(readTogether.map((name) => [name, source[name as keyof typeof source]])),
  )
  if ('faults' in read) throw new Error('Stored settings of several groups contradict each other')
  const { publicUrl, functionsUrl, smtpUrl, mailApi, hasLocalInbox } = read.config
  const { mailFrom, senderDomain, supportEmail, ownerEmail } = read.config
  const changed = { publicUrl, functionsUrl, smtpUrl, mailApi, hasLocalInbox }
  const people = { mailFrom, senderDomain, supportEmail, ownerEmail }
  return { ...environment, ...changed, ...people, source }
}
