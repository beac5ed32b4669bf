import { getDomain } from 'tldts'

/** A provider where several spellings of an address reach the same inbox. */
interface Provider {
  /** The first stands for all of them. */
  domains: readonly string[]
  /** Returns the spelling that stands for all that the provider reads alike. */
  foldLocal(local: string): string
}

/**
 * A change needs a migration that brings the stored keys up to date, because a block must hold at
 * once.
 */
const providers: readonly Provider[] = [
  {
    domains: ['gmail.com', 'googlemail.com'],
    foldLocal: (local) => local.replaceAll('.', ''),
  },
  {
    domains: ['proton.me', 'protonmail.com', 'pm.me', 'protonmail.ch'],
    foldLocal: (local) => local.replaceAll(/[._-]/g, ''),
  },
  {
    domains: ['icloud.com', 'me.com', 'mac.com'],
    foldLocal: (local) => local,
  },
  {
    domains: `yandex.ru ya.ru narod.ru yandex.com yandex.by yandex.kz yandex.ua yandex.uz
      yandex.com.tr yandex.com.ge yandex.com.am yandex.co.il yandex.az yandex.ee yandex.eu
      yandex.fr yandex.kg yandex.lt yandex.lv yandex.md yandex.pl yandex.tj yandex.tm`.split(/\s+/),
    // A login with a dot is the same as one with a hyphen.
    foldLocal: (local) => local.replaceAll('.', '-'),
  },
]

const providerByDomain = new Map(
  providers.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)),
)

/** The domains of providers that read several spellings alike. Each has millions of inboxes. */
export const foldingDomains: Iterable<string> = providerByDomain.keys()

/**
 * Returns the inbox behind an identity: without its tag, and in the one spelling that stands for
 * all that the provider reads alike. It is used for counting and blocking; mail never goes there.
 */
export function abuseKey(identity: string): string {
  const domain = domainOf(identity)
  const local = identity.slice(0, identity.lastIndexOf('@'))
  const [untagged = ''] = local.split('+', 1)
  const provider = providerByDomain.get(domain)
  if (!provider) return `${untagged}@${domain}`
  return `${provider.foldLocal(untagged)}@${provider.domains[0]}`
}

export function domainOf(identity: string): string {
  return identity.slice(identity.lastIndexOf('@') + 1)
}

/**
 * The part of a domain that one owner holds. Below a private suffix, such as duckdns.org, each name
 * belongs to somebody else. A suffix by itself has no registrable domain.
 */
export function registrableDomain(identity: string): string {
  const domain = domainOf(identity)
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}
