import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client'
import type { DeskRouter } from '#owner/desk/router.ts'
import { eventually } from '../eventually.ts'
import { ownOrigin, type TestApp, testApp, type TestAppOptions } from '../server/test-app.ts'

const ownerEmail = 'owner@example.org'

/** The product with a desk. */
export function deskApp(options: TestAppOptions = {}): Promise<TestApp> {
  return testApp({ ...options, config: { ownerEmail, ...options.config } })
}

/** A browser that keeps its cookies. `headers`: of every request. */
export function deskBrowser(
  app: TestApp,
  {
    cookies = new Map<string, string>(),
    headers = {},
  }: { cookies?: Map<string, string>; headers?: Record<string, string> } = {},
) {
  /** The last answer's. */
  let setCookies: string[] = []
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = Array.from(cookies, (pair) => pair.join('=')).join('; ')
    const sent = { origin: ownOrigin, cookie, ...Object.fromEntries(new Headers(init.headers)), ...headers }
    const answer = await fetch(new URL(path, app.url), { ...init, headers: sent })
    setCookies = answer.headers.getSetCookie()
    keepCookies(setCookies, cookies)
    return answer
  }
  const url = new URL('/desk/api', app.url)
  const link = httpLink({
    url,
    methodOverride: 'POST',
    fetch: (path, init) => send(String(path), init as RequestInit),
  }) // the types of Node and browser differ
  const desk = createTRPCClient<DeskRouter>({ links: [link] })

  async function askForCode(): Promise<string> {
    const before = codesIn(app).length
    await desk.signIn.mailCode.mutate()
    await eventually('a code is mailed', () => codesIn(app).length > before)
    return codesIn(app).at(-1)!
  }

  return {
    desk,
    send,
    cookies,
    setCookies: () => setCookies,
    /** This browser at another server. */
    at: (other: TestApp) => deskBrowser(other, { cookies, headers }),
    askForCode,
    signIn: async () => desk.signIn.byCode.mutate(await askForCode()),
  }
}

function keepCookies(setCookies: readonly string[], cookies: Map<string, string>): void {
  for (const cookie of setCookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    cookies.set(name, value)
  }
}

export async function signedIn(app: TestApp) {
  const browser = deskBrowser(app)
  await browser.signIn()
  return browser
}

/** How a call of the desk is refused. */
export async function refusalOf(calling: Promise<unknown>) {
  const error = await calling.then(
    () => undefined,
    (fault: unknown) => fault,
  )
  if (!(error instanceof TRPCClientError)) throw new Error('The desk did not refuse the call')
  const { httpStatus, reason, triesLeft } = (error as TRPCClientError<DeskRouter>).data! // it came from the router
  return { status: httpStatus, message: error.message, reason, triesLeft }
}

/** As they were mailed. */
export function codesIn(app: TestApp): string[] {
  const mails = app.mailer.attempts.filter(({ address }) => address === ownerEmail)
  return mails.flatMap(({ message }) => /\b\d{4} \d{4}\b/.exec(message.text)?.[0] ?? [])
}
