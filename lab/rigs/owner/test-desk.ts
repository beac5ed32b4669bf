import type { DeskApi } from '#owner/desk/contract.ts'
import { eventually } from '../eventually.ts'
import { ownOrigin, type TestApp, testApp, type TestAppOptions } from '../server/test-app.ts'

const ownerEmail = 'owner@example.org'

/** The product with a desk. */
export function deskApp(options: TestAppOptions = {}): Promise<TestApp> {
  return testApp({ ...options, config: { ownerEmail, ...options.config } })
}

interface DeskAnswer<Body> {
  status: number
  headers: Headers
  /** The contract's, if the status is 200. */
  body: Body
}

type Sent<Name extends keyof DeskApi> = DeskApi[Name][0]
type Back<Name extends keyof DeskApi> = DeskApi[Name][1]

/** A browser that keeps its cookies. `:id` in a name is replaced by `id`. */
export function deskBrowser(app: TestApp, cookies = new Map<string, string>()) {
  async function call<Name extends keyof DeskApi>(
    name: Name,
    sent: Sent<Name>,
    { id = 0, headers = {} }: { id?: number; headers?: Record<string, string> } = {},
  ): Promise<DeskAnswer<Back<Name>>> {
    const [method = '', path = ''] = name.split(' ')
    const address = `${app.url}/desk/api/${path.replace(':id', String(id))}`
    const cookie = Array.from(cookies, (pair) => pair.join('=')).join('; ')
    const given = { origin: ownOrigin, cookie, ...headers }
    const answer = await (method === 'POST' ? post : get)(address, sent, given)
    keepCookies(answer, cookies)
    const text = await answer.text()
    const isJson = answer.headers.get('content-type') === 'application/json'
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
  }

  async function askForCode(): Promise<string> {
    const before = codesIn(app).length
    await call('POST sign-in/mail-code', {})
    await eventually('a code is mailed', () => codesIn(app).length > before)
    return codesIn(app).at(-1)!
  }

  return {
    call,
    cookies,
    /** This browser at another server. */
    at: (other: TestApp) => deskBrowser(other, cookies),
    askForCode,
    async signIn() {
      return call('POST sign-in/code', { code: await askForCode() })
    },
  }
}

function post(address: string, sent: object, headers: Record<string, string>): Promise<Response> {
  const body = JSON.stringify(sent)
  return fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
}

function get(address: string, sent: object, headers: Record<string, string>): Promise<Response> {
  const query = new URLSearchParams(Object.entries(sent).map(([field, value]) => [field, String(value)]))
  return fetch(`${address}?${query}`, { headers })
}

function keepCookies({ headers }: Response, cookies: Map<string, string>): void {
  for (const cookie of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    cookies.set(name, value)
  }
}

export async function signedIn(app: TestApp) {
  const browser = deskBrowser(app)
  await browser.signIn()
  return browser
}

/** As they were mailed. */
export function codesIn(app: TestApp): string[] {
  const mails = app.mailer.attempts.filter(({ address }) => address === ownerEmail)
  return mails.flatMap(({ message }) => /\b\d{4} \d{4}\b/.exec(message.text)?.[0] ?? [])
}
