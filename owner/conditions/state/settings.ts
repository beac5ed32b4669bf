import { databaseEncryption } from '#server/settings/database-url.ts'
import { isLoopback, isPublicHost } from '#server/settings/hosts.ts'
import type { SiteSettings, StoredVariable } from '#server/settings/site-settings.ts'
import { canSend } from '#server/settings/config.ts'
import { about, type Condition } from '../condition.ts'
import { organizationOf } from '../organization.ts'

/** Judges what the environment sets and what the desk stored. */
export function judgeSettings(settings: SiteSettings): Condition[] {
  return [
    judgeAddress(settings),
    judgeSender(settings),
    judgeStored(settings),
    judgeDatabaseEncryption(settings),
  ]
}

const addressPlace = { place: 'address' } as const

function judgeAddress({ config, fixed, isAddressKnown }: SiteSettings): Condition {
  const { production, publicUrl } = config
  const { fine, error } = about('address.public')
  if (!isAddressKnown) {
    return error(
      'Your page has no address on the internet yet.',
      'Enter it under Your address on the internet.',
      addressPlace,
    )
  }
  if (production) return judgeServedAddress(new URL(publicUrl), fixed.has('PUBLIC_URL'))
  const what = `Links in the mail lead to ${publicUrl}`
  if (isLoopback(new URL(publicUrl).hostname)) return fine(`${what} (this machine only).`)
  return error(
    `${what}, but the server does not run in production.`,
    'Add this setting, and restart the server.',
    { record: { name: 'NODE_ENV', type: 'setting', value: 'production' } },
  )
}

/** `isFixed`: the environment sets it. */
function judgeServedAddress({ origin, hostname, protocol }: URL, isFixed: boolean): Condition {
  const { fine, warning, error } = about('address.public')
  const what = `Links in the mail lead to ${origin}`
  if (isLoopback(hostname)) {
    const where = isFixed ? 'Set PUBLIC_URL to it' : 'Enter it under Your address on the internet'
    return error(
      `${what}, which no other machine can open.`,
      `Use the address that visitors open. ${where}.`,
      addressPlace,
    )
  }
  if (protocol !== 'https:') {
    const then = isFixed ? 'set PUBLIC_URL to' : 'enter'
    return error(
      `${what}: not encrypted, and browsers warn about the form.`,
      `Put a proxy with a certificate in front, then ${then} https://${hostname}.`,
      addressPlace,
    )
  }
  if (isPublicHost(hostname)) return fine(`${what}.`)
  return warning(
    `${what}, which nobody outside your own network can open.`,
    'For visitors from the internet, use a public domain. TradingView needs one as well.',
    addressPlace,
  )
}

function judgeSender({ config, fixed }: SiteSettings): Condition {
  const { production, publicUrl, senderDomain, mailFrom } = config
  const { fine, warning, error, notChecked } = about('configuration.sender')
  const place = 'mail-service'
  const what = `Mail comes from ${mailFrom.address}`
  if (!production) return fine(`${what} (development).`)
  if (!canSend(config)) return notChecked('The sender is checked once your mail service is set.')
  const field = fixed.has('MAIL_FROM') ? 'MAIL_FROM' : 'the field From under Mail service'
  if (isLoopback(senderDomain)) {
    return error(
      `${what}, which no receiver knows.`,
      `Enter an address at your own domain in ${field}, such as Starter Bot <starter@example.com>.`,
      { place },
    )
  }
  const site = new URL(publicUrl).hostname
  const ours = organizationOf(senderDomain)
  const theirs = organizationOf(site)
  if (ours === theirs || isLoopback(site)) return fine(`${what}.`)
  return warning(
    `${what}, but its links lead to ${site}, another domain: phishing mail does the same.`,
    `Enter an address at ${theirs} in ${field}, or open your page at ${ours}.`,
    { place },
  )
}

const fieldNames: Record<StoredVariable, string> = {
  PUBLIC_URL: 'the address of your page',
  SMTP_URL: 'the mail service',
  MAIL_API: 'the mail service',
  MAIL_API_KEY: 'the mail service',
  MAIL_FROM: 'the sender',
  SUPPORT_EMAIL: 'the support address',
  OWNER_EMAIL: 'your own address',
}

function judgeStored({ ignored }: SiteSettings): Condition {
  const { fine, error } = about('configuration.stored')
  if (ignored.length === 0) return fine('All that the desk stored is understood.')
  const names = [...new Set(ignored.map((variable) => fieldNames[variable]))]
  return error(
    `Stored at the desk, and not understood by this version: ${new Intl.ListFormat('en-GB').format(names)}.`,
    'Enter it again, or go back to the version that stored it.',
    { place: ignored.includes('PUBLIC_URL') ? 'address' : 'mail-service' },
  )
}

function judgeDatabaseEncryption({ config: { databaseUrl } }: SiteSettings): Condition {
  const { fine, error } = about('configuration.database-encryption')
  const encryption = databaseEncryption(databaseUrl)
  if (encryption === 'local') return fine('The database is on this machine.')
  if (encryption === 'verified') {
    return fine('The connection to PostgreSQL is encrypted and verified.')
  }
  return error(
    `The connection to PostgreSQL at ${new URL(databaseUrl).host} is not encrypted with a verified certificate.`,
    'Add sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE for an authority of your own.',
  )
}
