import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client'
import { deskApiPath } from '#contract/desk-paths.ts'
import type { DeskRouter } from '#owner/start/router.ts'

/** Calls the desk of the server at `origin`. `send` is a fetch that keeps the cookies. */
export function deskClient(
  origin: string,
  send: (path: string, init: RequestInit) => Promise<Response>,
): TRPCClient<DeskRouter> {
  const link = httpLink({
    url: new URL(deskApiPath, origin),
    methodOverride: 'POST',
    // The types of Node and browser differ.
    fetch: (path, init) => send(new Request(path as Request).url, init as RequestInit),
  })
  return createTRPCClient<DeskRouter>({ links: [link] })
}

/** Keeps the cookies that an answer sets, by their names. */
export function keepCookies(cookies: Map<string, string>, answer: Response): void {
  for (const set of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    cookies.set(name, value)
  }
}

/** The header that sends them back. */
export function cookieHeader(cookies: ReadonlyMap<string, string>): string {
  return Array.from(cookies, (pair) => pair.join('=')).join('; ')
}
