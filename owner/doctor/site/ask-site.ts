import { CommandError } from '../../command-line/command-context.ts'
import { type CheckContext, NotChecked, type Site } from '../finding.ts'

const timeoutSeconds = 5
/** On the landing page: app/pages. */
const marker = 'id="app" data-page="landing"'

/** The landing page at PUBLIC_URL, as a visitor would get it. */
export async function askSite(url: string): Promise<Site> {
  try {
    const answer = await fetchFrom(`${url}/`)
    const html = await answer.text()
    if (answer.status === 200 && html.includes(marker)) return { html }
    const to = answer.headers.get('location')
    const shown = answer.status === 200 ? 'it shows another page' : `it answers with status ${answer.status}`
    return { why: to === null ? shown : `it redirects to ${to}`, isSilent: false }
  } catch (fault) {
    return { why: whyNoAnswer(fault), isSilent: true }
  }
}

/** The landing page, for checks that need it. `what` they try. */
export async function pageOf({ site }: CheckContext, what: string): Promise<string> {
  const found = await site
  if ('why' in found) throw new NotChecked(`${what}: not tried without our page.`)
  return found.html
}

/** Sends a request and follows no redirect. Throws if there is no answer. */
export async function ask(url: string, request: RequestInit = {}): Promise<Response> {
  return fetchFrom(url, request).catch((fault: unknown) => {
    throw new CommandError(`${url} does not answer: ${whyNoAnswer(fault)}.`)
  })
}

async function fetchFrom(url: string, more: RequestInit = {}): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000)
  return fetch(url, { ...more, redirect: 'manual', signal })
}

const reasons: Record<string, string> = {
  ENOTFOUND: 'the DNS does not know its name (ENOTFOUND)',
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
}

function whyNoAnswer(fault: unknown): string {
  if (fault instanceof Error && fault.name === 'TimeoutError') return `no answer in ${timeoutSeconds} s`
  const cause = fault instanceof Error ? (fault.cause ?? fault) : fault
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return reasons[code] ?? (code || String(cause))
}
