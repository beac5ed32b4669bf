const hasScheme = /^[a-z][a-z\d+.-]*:/i
/** A host without a scheme, as people type it: `youtube.com/@x`. */
const bareHost = /^(?:[a-z\d-]+\.)+[a-z]{2,}(?:[/?#:]|$)/i

/**
 * Puts `https://` in front of a bare host. Undefined: it is no address of the web or of a mailbox.
 */
export function completeAddress(typed: string): string | undefined {
  const address = typed.trim()
  const isBare = bareHost.test(address) && !hasScheme.test(address)
  const whole = isBare ? `https://${address}` : address
  if (/^mailto:[^\s@]+@[^\s@]+$/i.test(whole)) return whole
  if (!/^https?:\/\//i.test(whole) || !URL.canParse(whole)) return undefined
  return new URL(whole).hostname.includes('.') ? whole : undefined
}
