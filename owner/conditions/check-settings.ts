import { databaseEncryption } from '#server/settings/database-url.ts'
import { isLoopback } from '#server/settings/loopback.ts'
import { organizationOf } from './dns/dns-records.ts'
import type { Checks } from './finding.ts'
import { leftPlaceholders } from './unfinished-texts.ts'

/** Checks that need nothing but the configuration and the owner's texts. */
export const settingChecks: Checks = {
  'configuration.stored': ({ ignoredSettings }, { wrong }) => {
    if (ignoredSettings.length === 0) return []
    const names = new Intl.ListFormat('en-GB').format(ignoredSettings)
    return wrong(
      `Stored at the desk, and not understood by this version: ${names}.`,
      'Enter it again at the desk, under Mail service or Address, or go back to the version that stored it.',
    )
  },

  'configuration.public-url': ({ config: { production, publicUrl } }, { ok, wrong }) => {
    const { hostname, protocol } = new URL(publicUrl)
    const what = `Links in the mail lead to ${publicUrl}`
    if (!production) {
      return isLoopback(hostname)
        ? ok(`${what} (this machine only).`)
        : wrong(
            'The address is public, but NODE_ENV is not production.',
            'Set NODE_ENV=production.',
          )
    }
    if (isLoopback(hostname)) {
      return wrong(
        `${what}, which no other machine can open.`,
        'Set PUBLIC_URL to the address that visitors use.',
      )
    }
    if (protocol === 'https:') return ok(`${what}.`)
    return wrong(
      `${what}: not encrypted, and browsers warn about the form.`,
      'Put a proxy with a certificate in front, then set PUBLIC_URL to https://.',
    )
  },

  'configuration.database-encryption': ({ config: { databaseUrl } }, { ok, wrong }) => {
    const encryption = databaseEncryption(databaseUrl)
    if (encryption === 'local') return ok('The database is on this machine.')
    if (encryption === 'verified') {
      return ok('The connection to PostgreSQL is encrypted and verified.')
    }
    return wrong(
      `The connection to PostgreSQL at ${new URL(databaseUrl).host} is not encrypted with a verified certificate.`,
      'Add sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE for an authority of your own.',
    )
  },

  'configuration.sender': ({ config }, { ok, look, wrong }) => {
    const { production, publicUrl, senderDomain, mailFrom } = config
    const what = `Mail comes from ${mailFrom.address}`
    const site = new URL(publicUrl).hostname
    if (!production) return ok(`${what} (development).`)
    if (isLoopback(senderDomain)) {
      return wrong(
        `${what}, which no receiver knows.`,
        'Set MAIL_FROM to an address at your own domain, such as Starter Bot <starter@example.com>.',
      )
    }
    const ours = organizationOf(senderDomain)
    const theirs = organizationOf(site)
    if (ours === theirs || isLoopback(site)) return ok(`${what}.`)
    return look(
      `${what}, but its links lead to ${site}, another domain: phishing mail does the same.`,
      `Send from an address under ${theirs}, or serve the site under ${ours}.`,
    )
  },

  'content.placeholders': ({ content, config: { production } }, { ok, look, wrong }) => {
    const found = leftPlaceholders(content)
    if (found.length === 0) return ok('No placeholder is left in the texts.')
    const list = found.map(({ text, path }) => `"${text}" (${path})`).join(', ')
    const inState = production ? wrong : look
    return inState(
      `Placeholders are left: ${list}.`,
      'Write your own words there, under Page at the desk or in content/.',
    )
  },

  'content.about-ours': ({ aboutOurs, isHeldBack }, { ok, look, wrong }) => {
    if (aboutOurs.length === 0) return ok('The texts speak of the script that you give away.')
    const names = new Intl.ListFormat('en-GB').format(namesOf(aboutOurs))
    const what = aboutOurs.length === 1 ? 'One text speaks' : `${aboutOurs.length} texts speak`
    const inState = isHeldBack ? wrong : look
    return inState(
      `${what} of our script or guide, though you give away your own: ${names}.`,
      'Rewrite them, or say that they are true: at the desk under Page, Files.',
    )
  },

  'content.newest-page': ({ failedVersion }, { ok, wrong }) => {
    if (!failedVersion) return ok('The published page is as this version of the program makes it.')
    return wrong(
      `The page stays as an earlier version of this program made it: ${sentence(failedVersion.why)}`,
      'Correct it under Page at the desk, and publish again.',
    )
  },

  'content.legal-pages': ({ content, config: { production } }, { ok, look }) => {
    const names = ['privacyUrl', 'imprintUrl', 'postalAddress'] as const
    const missing = names.filter((name) => !content.brand[name])
    if (missing.length === 0) {
      return ok('Page and mail name your privacy notice, your imprint and your address.')
    }
    const what = `The texts have no ${missing.map((name) => `brand.${name}`).join(' and no ')}.`
    return production
      ? look(what, 'Write yours under Page at the desk, or in content/brand.ts.')
      : ok(what)
  },
}

const namedTexts = 3

function namesOf(paths: readonly string[]): string[] {
  const more = paths.length - namedTexts
  return more > 0 ? [...paths.slice(0, namedTexts), `${more} more`] : [...paths]
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`
}
