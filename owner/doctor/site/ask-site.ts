import { CommandError } from '../../command-line/command-context.ts'

export type Site =
  | { kind: 'ours'; html: string }
  /** Something else answers. */
  | { kind: 'foreign'; why: string }
  /** Its certificate is not one to trust. */
  | { kind: 'untrusted'; why: string }
  | { kind: 'silent'; why: string }

const patienceMs = 5_000
/** The landing page says so of itself: site/render-pages.tsx. */
const marker = 'id="app" data-page="landing"'

/** The landing page at PUBLIC_URL, as a visitor would get it. */
export async function askSite(url: string, withinMs = patienceMs): Promise<Site> {
  try {
    const answer = await fetch(`${url}/`, { redirect: 'manual', signal: AbortSignal.timeout(withinMs) })
    const html = await answer.text()
    const to = answer.headers.get('location')
    if (to !== null) return { kind: 'foreign', why: `it leads on to ${to}` }
    if (answer.status !== 200) return { kind: 'foreign', why: `it answers with status ${answer.status}` }
    if (!html.includes(marker)) return { kind: 'foreign', why: 'it shows another page' }
    return { kind: 'ours', html }
  } catch (fault) {
    const why = whyNoAnswer(fault, withinMs)
    return { kind: why.startsWith('its certificate') ? 'untrusted' : 'silent', why }
  }
}

/** One more request to it, that follows no redirect. Throws where there is no answer. */
export async function ask(url: string, request: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
  } catch (fault) {
    throw new CommandError(`${url} does not answer: ${whyNoAnswer(fault, patienceMs)}.`)
  }
}

const inWords: Record<string, string> = {
  ENOTFOUND: 'the DNS does not know its name',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it hung up',
  UND_ERR_SOCKET: 'it hung up',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that nobody knows',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes without the one that signed it',
}

function whyNoAnswer(fault: unknown, withinMs: number): string {
  if (fault instanceof Error && fault.name === 'TimeoutError') return `no answer in ${withinMs / 1000} s`
  const cause = fault instanceof Error ? (fault.cause ?? fault) : fault
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (cause instanceof Error && cause.message === 'bad port') return 'browsers refuse to use this port'
  return inWords[code] ?? (code || String(cause))
}
