export type SecurityHeaders = ReturnType<typeof securityHeaders>

/**
 * The headers of every answer. `hashes`: of the pages' inline styles and scripts, as the build
 * found them.
 */
export function securityHeaders(
  publicUrl: string,
  functionsUrl: string,
  hashes: { styleHashes: string[]; scriptHashes: string[] },
) {
  const quoted = (all: string[]) => all.map((one) => `'${one}'`)
  const { origin } = new URL(functionsUrl)
  const functionsOrigin = origin === new URL(publicUrl).origin ? [] : [origin]
  const policy = [
    `default-src 'none'`,
    ["script-src 'self'", ...quoted(hashes.scriptHashes)].join(' '),
    ["style-src 'self'", ...quoted(hashes.styleHashes)].join(' '),
    `img-src 'self' data:`,
    `font-src 'self'`,
    ["connect-src 'self'", ...functionsOrigin].join(' '),
    `manifest-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ')
  const everywhere = {
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=63072000' }),
  }
  return {
    /** For pages. */
    document: {
      ...everywhere,
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    },
    /** For files and for programs: nothing in them runs, so few are needed. */
    data: {
      ...everywhere,
      'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
    },
  }
}
