import { isLoopback } from '#server/configuration/loopback.ts'
import { CommandError } from '../../command-line/command-context.ts'
import { type CheckContext, NotChecked, type Site } from '../finding.ts'

const timeoutMs = 5_000
/** On the landing page: app/pages. */
const marker = 'id="app" data-page="landing"'

/** The landing page at PUBLIC_URL, as a visitor would get it. */
export async function askSite(url: string, withinMs = timeoutMs): Promise<Site> {
  try {
    const answer = await fetchFrom(`${url}/`, {}, withinMs)
    const html = await answer.text()
    const to = answer.headers.get('location')
    if (to !== null) return { kind: 'foreign', why: `it redirects to ${to}` }
    if (answer.status !== 200) return { kind: 'foreign', why: `it answers with status ${answer.status}` }
    if (!html.includes(marker)) return { kind: 'foreign', why: 'it shows another page' }
    return { kind: 'ours', html }
  } catch (fault) {
    const why = whyNoAnswer(fault, withinMs)
    return { kind: why.startsWith('its certificate') ? 'untrusted' : 'silent', why }
  }
}

/** The landing page, for checks that need it. `what` they try. */
export async function pageOf({ site }: CheckContext, what: string): Promise<string> {
  const found = await site
  if (found.kind !== 'ours') throw new NotChecked(`${what}: not tried without our page.`)
  return found.html
}

/** Sends a request and follows no redirect. Throws if there is no answer. */
export async function ask(url: string, request: RequestInit = {}): Promise<Response> {
  try {
    return await fetchFrom(url, request, timeoutMs)
  } catch (fault) {
    throw new CommandError(`${url} does not answer: ${whyNoAnswer(fault, timeoutMs)}.`)
  }
}

async function fetchFrom(url: string, more: RequestInit, withinMs: number): Promise<Response> {
  const request: RequestInit = { ...more, redirect: 'manual', signal: AbortSignal.timeout(withinMs) }
  const { hostname } = new URL(url)
  return fetch(url, request).catch((fault: { cause?: NodeJS.ErrnoException }) => {
    // Without /etc/hosts localhost has no address, and the server listens at this one.
    if (fault.cause?.syscall !== 'getaddrinfo' || !isLoopback(hostname)) throw fault
    return fetch(url.replace(hostname, '127.0.0.1'), request)
  })
}

const reasons: Record<string, string> = {
  ENOTFOUND: 'the DNS does not know its name',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes without the intermediate certificate',
}

function whyNoAnswer(fault: unknown, withinMs: number): string {
  if (fault instanceof Error && fault.name === 'TimeoutError') return `no answer in ${withinMs / 1000} s`
  const cause = fault instanceof Error ? (fault.cause ?? fault) : fault
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (cause instanceof Error && cause.message === 'bad port') return 'browsers refuse to use this port'
  return reasons[code] ?? (code || String(cause))
}
