/** Tells whether a host name or an address, IPv6 with or without brackets, means this machine (RFC 6761 6.3). */
export function isLoopback(host: string): boolean {
  return /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host)
}
