/**
 * True for host names and addresses of this machine, IPv6 with or without brackets (RFC 6761 6.3).
 */
export function isLoopback(host: string): boolean {
  return /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host)
}
