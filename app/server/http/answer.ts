/** Endpoints return plain values, so that tests need no socket. Header names are in lower case. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer | string
  /** Sent instead of `body`, as fast as the client reads. */
  stream?: AsyncIterable<string>
}

type Headers = Readonly<Record<string, string>>

export function htmlAnswer(status: number, body: string, headers: Headers = {}): Answer {
  return answerOf('text/html; charset=utf-8', status, body, headers)
}

export function jsonAnswer(status: number, value: unknown, headers: Headers = {}): Answer {
  return answerOf('application/json', status, JSON.stringify(value), headers)
}

/** Answers programs, and errors that have no page. */
export function textAnswer(status: number, sentence: string, headers: Headers = {}): Answer {
  return answerOf('text/plain; charset=utf-8', status, `${sentence}\n`, headers)
}

function answerOf(mediaType: string, status: number, body: string, headers: Headers): Answer {
  return { status, headers: { 'content-type': mediaType, 'cache-control': 'no-store', ...headers }, body }
}

/** Lets a script of `origin` read the answer. */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  return origin === undefined ? {} : { 'access-control-allow-origin': origin, vary: 'origin' }
}

export function preflightAnswer(origin: string): Answer {
  const headers = {
    ...corsHeaders(origin),
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info',
    'access-control-max-age': '86400',
  }
  return { status: 204, headers, body: '' }
}

export interface SecurityHeaders {
  /** For pages. */
  document: Readonly<Record<string, string>>
  /** For files and for programs: nothing in them runs, so few are needed. */
  data: Readonly<Record<string, string>>
}

/** The headers of every answer. `hashes`: of the pages' inline styles and scripts, as the build found them. */
export function securityHeaders(
  publicUrl: string,
  functionsUrl: string,
  hashes: { styleHashes: string[]; scriptHashes: string[] },
): SecurityHeaders {
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
    document: {
      ...everywhere,
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    },
    data: { ...everywhere, 'content-security-policy': `default-src 'none'; frame-ancestors 'none'` },
  }
}
