import { isLoopback } from './loopback.ts'

/**
 * The servers of a PostgreSQL URL, each as a URL of its own: `postgres://a:5432,b:5432/name`, or `?host=/a,/b` for Unix
 * sockets. Several are a primary and its standbys, as in libpq. Empty: it is not such a URL.
 */
export function serverUrls(databaseUrl: string): string[] {
  const [, start = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?!$)(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(databaseUrl) ?? []
  if (/^,|,,|,$/.test(hosts)) return []
  const urls = hosts.split(',').map((host) => URL.parse(start + host + rest))
  return urls.every((url) => url !== null) ? urls.flatMap(urlsOfSockets) : []
}

function urlsOfSockets(url: URL): string[] {
  const folders = url.searchParams.get('host')?.split(',') ?? []
  if (folders.length < 2) return [url.href]
  return folders.map((folder) => {
    url.searchParams.set('host', folder)
    return url.href
  })
}

/** For people, without user and password. */
export function databaseHosts(databaseUrl: string): string {
  return serverUrls(databaseUrl)
    .map((url) => new URL(url).host)
    .join(', ')
}

/** How the connections to the servers are encrypted. The parameters are those of the driver, pg-connection-string. */
export function databaseEncryption(databaseUrl: string): 'local' | 'verified' | 'disabled' | 'unverified' {
  const servers = databaseUrl.startsWith('file:') ? [] : serverUrls(databaseUrl).map((url) => new URL(url))
  if (servers.every(isLocal)) return 'local'
  const mode = servers[0]?.searchParams.get('sslmode') ?? ''
  if (mode === 'disable') return 'disabled'
  // The driver verifies with "require" today, but warns that it will not in its next major version.
  return ['verify-full', 'verify-ca'].includes(mode) ? 'verified' : 'unverified'
}

function isLocal({ hostname, searchParams }: URL): boolean {
  const host = decodeURIComponent(searchParams.get('host') ?? hostname)
  return host === '' || host.startsWith('/') || isLoopback(host) // '' and a path: a Unix socket
}
