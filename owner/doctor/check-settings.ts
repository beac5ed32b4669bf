import { databaseEncryption, databaseHosts } from '#server/configuration/database-url.ts'
import { isLoopback } from '#server/configuration/loopback.ts'
import { organizationOf } from './dns/domains.ts'
import type { Checks } from './finding.ts'

/** Checks that need nothing but the configuration. */
export const settingChecks: Checks = {
  'configuration.public-url': ({ config }, about) => {
    const { hostname, protocol } = new URL(config.publicUrl)
    const what = `Links in the mail lead to ${config.publicUrl}`
    if (isLoopback(hostname))
      return config.production
        ? about.wrong(
            `${what}, which no other machine can open.`,
            'Set PUBLIC_URL to the https:// address that visitors use.',
          )
        : about.ok(`${what} (this machine only).`)
    if (protocol === 'https:') return about.ok(`${what}.`)
    const advice = 'Put a proxy with a certificate in front, then set PUBLIC_URL to https://.'
    const unsafe = `${what}: not encrypted, and browsers warn about the form.`
    return config.production ? about.wrong(unsafe, advice) : about.look(unsafe, advice)
  },

  'configuration.mode': ({ config: { production, publicUrl } }, { ok, wrong }) => {
    if (production) return ok('The server runs for production.')
    if (isLoopback(new URL(publicUrl).hostname))
      return ok('The server runs for development, on this machine.')
    return wrong('The address is public, but NODE_ENV is not production.', 'Set NODE_ENV=production.')
  },

  'configuration.database-encryption': ({ config: { databaseUrl } }, { ok, wrong }) => {
    const encryption = databaseEncryption(databaseUrl)
    if (encryption === 'local') return ok('The database is on this machine.')
    if (encryption === 'verified') return ok('The connection to PostgreSQL is encrypted and verified.')
    return wrong(
      `The connection to PostgreSQL at ${databaseHosts(databaseUrl)} is not encrypted with a verified certificate.`,
      'Add sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE for an authority of your own.',
    )
  },

  'configuration.sender': ({ config }, { ok, wrong }) => {
    const what = `Mail comes from ${config.mailFrom.address}`
    if (!isLoopback(config.senderDomain)) return ok(`${what}.`)
    return config.production
      ? wrong(
          `${what}, which no receiver knows.`,
          'Set MAIL_FROM to an address at your own domain, such as Starter Bot <starter@example.com>.',
        )
      : ok(`${what} (development).`)
  },

  'configuration.one-domain': ({ config }, { ok, look }) => {
    const [site, sender] = [new URL(config.publicUrl).hostname, config.senderDomain]
    if (isLoopback(site) || isLoopback(sender)) return []
    if (organizationOf(site) === organizationOf(sender))
      return ok(`Sender and links share the domain ${organizationOf(site)}.`)
    return look(
      `Mail comes from ${sender}, its links lead to ${site}.`,
      `Send from an address below ${organizationOf(site)}, or serve the site below ${organizationOf(sender)}.`,
    )
  },

  'configuration.proxies': (
    { config: { production, publicUrl, trustedProxies, signUpsPerNetworkIn10Minutes: max } },
    { ok, wrong },
  ) => {
    const isBehindProxy = production && publicUrl.startsWith('https:')
    if (!isBehindProxy || trustedProxies > 0 || max === Infinity)
      return ok(`TRUST_PROXY is ${trustedProxies}.`)
    return wrong(
      `The site is https, so a proxy stands in front, but TRUST_PROXY is 0: all visitors together may sign up ${max} times in 10 minutes.`,
      'Set TRUST_PROXY to the number of your proxies, usually 1.',
    )
  },

  'configuration.anon-key': ({ config: { production, anonKey } }, { ok, look }) => {
    if (!production || anonKey !== 'starter-bot-development-key') return ok('ANON_KEY is set.')
    return look(
      'ANON_KEY is the one from development.',
      'Set it to any text of your own; it is public, not a secret.',
    )
  },
}
