import { brand } from '#content/brand.ts'
import type { Config } from '#server/config.ts'
import type { Finding } from './doctor.ts'

/** What can be told from the configuration and the owner's texts alone. */
export function checkSettings(config: Config): Finding[] {
  return [checkPublicUrl(config), checkSender(config), ...checkAnonKey(config), ...checkBrand()]
}

export function isLocal(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host) || host.endsWith('.localhost')
}

function checkPublicUrl({ publicUrl, production }: Config): Finding {
  const { hostname, protocol } = new URL(publicUrl)
  const what = `links in the mail lead to ${publicUrl}`
  if (isLocal(hostname))
    return production
      ? { state: 'wrong', what, advice: 'set PUBLIC_URL to the address that visitors use' }
      : { state: 'ok', what: `${what} (this machine only)` }
  return protocol === 'https:'
    ? { state: 'ok', what }
    : { state: 'look', what, advice: 'serve it over https' }
}

function checkSender({ mailFrom, publicUrl, production }: Config): Finding {
  const domain = mailFrom.address.split('@')[1] ?? ''
  const what = `mail comes from ${mailFrom.address}`
  if (isLocal(domain))
    return production
      ? { state: 'wrong', what, advice: 'set MAIL_FROM to an address of a domain of yours' }
      : { state: 'ok', what: `${what} (development)` }
  const site = new URL(publicUrl).hostname
  if (isLocal(site) || site === domain || site.endsWith(`.${domain}`) || domain.endsWith(`.${site}`))
    return { state: 'ok', what }
  const advice = `the site is ${site}: one domain for both makes the mail easier to trust`
  return { state: 'look', what, advice }
}

function checkAnonKey({ anonKey, production }: Config): Finding[] {
  if (!production || anonKey !== 'starter-bot-development-key') return []
  const advice = 'any text of your own will do; it is public, and keeps out what does not know the site'
  return [{ state: 'look', what: 'ANON_KEY is the one from development', advice }]
}

function checkBrand(): Finding[] {
  const unset = Object.entries(brand).filter(([, value]) => /^\[.*\]$/.test(String(value)))
  return unset.map(([name, value]) => {
    return {
      state: 'look',
      what: `${name} is still "${value}"`,
      advice: 'set it in content/brand.ts, then build',
    }
  })
}
