import type { InlineHashes, SiteBundle } from '#site/bundle.ts'
import type { PageName } from '#site/pages/page-table.ts'

/** The headers of every answer, by what is answered. */
export interface SecurityHeaders {
  /** For a page of which everybody gets the same bytes: only what is inline in it may run. */
  page(name: PageName): Record<string, string>
  /** For the pages that are filled for one visitor: one policy for all of them. */
  document: Record<string, string>
  /** For files and for answers to programs: nothing in them runs, so few are needed. */
  data: Record<string, string>
}

/** The headers of every page, beside its policy. */
export const pageHeaders = {
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

export function securityHeaders(
  publicUrl: string,
  functionsUrl: string,
  hashes: SiteBundle['inlineHashes'],
): SecurityHeaders {
  const isSecure = publicUrl.startsWith('https:')
  const everywhere = {
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    ...(isSecure && { 'strict-transport-security': 'max-age=63072000' }),
  }
  const document = (...inline: InlineHashes[]) => ({
    ...everywhere,
    'content-security-policy': documentPolicy(publicUrl, functionsUrl, inline),
    ...pageHeaders,
  })
  return {
    page: (name) => document(hashes[name]),
    document: document(...Object.values(hashes)),
    data: {
      ...everywhere,
      'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
    },
  }
}

function documentPolicy(
  publicUrl: string,
  functionsUrl: string,
  inline: readonly InlineHashes[],
): string {
  const { origin } = new URL(functionsUrl)
  const functionsOrigin = origin === new URL(publicUrl).origin ? [] : [origin]
  return [
    `default-src 'none'`,
    ["script-src 'self'", ...quoted(inline.flatMap((each) => each.scriptHashes))].join(' '),
    ["style-src 'self'", ...quoted(inline.flatMap((each) => each.styleHashes))].join(' '),
    `img-src 'self' data:`,
    `font-src 'self'`,
    ["connect-src 'self'", ...functionsOrigin].join(' '),
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ')
}

/** Each once. */
function quoted(hashes: readonly string[]): string[] {
  return [...new Set(hashes)].map((hash) => `'${hash}'`)
}
