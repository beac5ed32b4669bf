import type { InlineHashes } from '#site/bundle.ts'

/** The headers of every answer, by what is answered. */
export interface SecurityHeaders {
  /** For pages. */
  document: Record<string, string>
  /** For files and for answers to programs: nothing in them runs, so few are needed. */
  data: Record<string, string>
}

export function securityHeaders(
  publicUrl: string,
  functionsUrl: string,
  hashes: InlineHashes,
): SecurityHeaders {
  const isSecure = publicUrl.startsWith('https:')
  const everywhere = {
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    ...(isSecure && { 'strict-transport-security': 'max-age=63072000' }),
  }
  return {
    document: {
      ...everywhere,
      'content-security-policy': documentPolicy(publicUrl, functionsUrl, hashes),
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    },
    data: {
      ...everywhere,
      'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
    },
  }
}

function documentPolicy(publicUrl: string, functionsUrl: string, hashes: InlineHashes): string {
  const quoted = (all: readonly string[]) => all.map((one) => `'${one}'`)
  const { origin } = new URL(functionsUrl)
  const functionsOrigin = origin === new URL(publicUrl).origin ? [] : [origin]
  return [
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
}
