/**
 * True for host names and addresses of this machine, IPv6 with or without brackets (RFC 6761 6.3).
 */
export function isLoopback(host: string): boolean {
  return /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host)
}

/** Names that no public DNS server answers: RFC 6761, 6762 (also its appendix G), 8375 and 9476. */
const privateName =
  /\.(?:alt|corp|home|home\.arpa|internal|intranet|invalid|lan|local|localdomain|localhost|onion|private|test)$/
/** This network, private networks, those of carriers, and addresses without a router. */
const privateIpv4 =
  /^(?:0|10|127|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\./
const privateIpv6 = /^(?:::|::1|::ffff:[\da-f:.]+|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)$/

/** `host`: a name or address as the URL parser gives it. False: nobody outside can open it. */
export function isPublicHost(host: string): boolean {
  if (isLoopback(host)) return false
  if (host.startsWith('[')) return !privateIpv6.test(host.slice(1, -1))
  if (/^[\d.]+$/.test(host)) return !privateIpv4.test(host)
  const name = host.toLowerCase().replace(/\.$/, '')
  return name.includes('.') && !privateName.test(name)
}
