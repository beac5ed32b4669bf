import { isLoopback } from './hosts.ts'

/** Returns undefined if it is no URL of a PostgreSQL. */
export function parsePostgresUrl(databaseUrl: string): URL | undefined {
  if (!/^postgres(?:ql)?:\/\/./.test(databaseUrl)) return undefined
  return URL.parse(databaseUrl) ?? undefined
}

/**
 * How the connections are encrypted. The parameters are those of the driver, pg-connection-string.
 */
export function databaseEncryption(
  databaseUrl: string,
): 'local' | 'verified' | 'disabled' | 'unverified' {
  const url = parsePostgresUrl(databaseUrl)
  if (!url) return 'local'
  const host = decodeURIComponent(url.searchParams.get('host') ?? url.hostname)
  const isUnixSocket = host === '' || host.startsWith('/')
  if (isUnixSocket || isLoopback(host)) return 'local'
  const mode = url.searchParams.get('sslmode') ?? ''
  if (mode === 'disable') return 'disabled'
  // The driver verifies with "require" today, but warns that it will not in its next major version.
  return ['verify-full', 'verify-ca'].includes(mode) ? 'verified' : 'unverified'
}
