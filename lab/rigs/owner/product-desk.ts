import { eventually } from '../eventually.ts'
import type { Product } from '../product.ts'
import { cookieHeader, deskClient, keepCookies } from './desk-client.ts'

/** Takes the desk of a product by the link that it prints. `send`: a fetch with its cookie. */
export async function takeProductDesk(product: Product) {
  const { desk, send } = browserAt(product.url)
  const secretIn = () => /\/desk\/start#(\S+)/.exec(product.printed())?.[1]
  await eventually('the link to the desk is printed', () => secretIn() !== undefined)
  await desk.signIn.byStartLink.mutate({ secret: secretIn() ?? '', email: 'owner@example.com' })
  return { desk, send }
}

function browserAt(origin: string) {
  const cookies = new Map<string, string>()
  async function send(path: string, init: RequestInit = {}) {
    const headers = new Headers(init.headers)
    headers.set('origin', origin)
    headers.set('cookie', cookieHeader(cookies))
    const answer = await fetch(new URL(path, origin), { ...init, headers })
    keepCookies(cookies, answer)
    return answer
  }
  return { desk: deskClient(origin, send), send }
}
