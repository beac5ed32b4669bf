import { expect, test, vi } from 'vitest'
import type { DeskRequest } from '#owner/acts/desk-request.ts'
import { canKeepCookie, readCookie, setCookie } from './cookies.ts'

interface Opened {
  origin?: string
  host?: string
  /** It is undefined until the server knows its address. */
  publicUrl?: string
  cookies?: Record<string, string>
}

/** A request to the desk, with the parts that cookies read. */
function openedAt({ publicUrl, cookies = {}, ...headers }: Opened) {
  const reply = { setCookie: vi.fn<(name: string, value: string, options: object) => void>() }
  const config = { publicUrl: publicUrl ?? 'http://localhost:3000' }
  const settings = { current: { config, isAddressKnown: publicUrl !== undefined } }
  const parts = { server: { settings }, request: { headers, cookies }, reply }
  return { deskRequest: parts as unknown as DeskRequest, reply }
}

test.each<[Opened, boolean]>([
  [{ origin: 'https://bot.example' }, true],
  [{ origin: 'http://bot.example' }, false],
  [{ origin: 'http://localhost:3000', host: 'bot.example' }, true],
  [{ origin: 'null', host: 'localhost:30000' }, true],
  [{ host: 'bot.example' }, true], // a proxy in front of it speaks TLS
  [{ host: '192.0.2.1:3000' }, true],
  [{ host: 'localhost:3000', publicUrl: 'http://bot.example' }, false],
  [{ origin: 'http://bot.example', publicUrl: 'https://bot.example' }, true],
])('a desk that is opened at %j can keep a cookie: %s', (opened, canKeep) => {
  expect(canKeepCookie(openedAt(opened).deskRequest)).toBe(canKeep)
})

test.each<[Opened, string]>([
  [{ host: 'localhost:30000' }, 'desk'],
  [{ host: 'localhost' }, 'desk'],
  [{ host: 'bot.example' }, '__Host-desk'],
  [{ host: '192.0.2.1:3000' }, '__Host-desk'],
  [{ origin: 'https://localhost:3000' }, '__Host-desk'],
  [{}, 'desk'],
])('a desk that is opened at %j has the cookie %s', (opened, name) => {
  const { deskRequest, reply } = openedAt({ ...opened, cookies: { [name]: 'value' } })
  expect(readCookie(deskRequest, 'desk')).toBe('value')
  setCookie(deskRequest, 'desk', 'other', 60_000)
  const secure = name.startsWith('__Host-')
  const options = { path: '/', maxAge: 60, httpOnly: true, sameSite: 'strict', secure }
  expect(reply.setCookie).toHaveBeenCalledExactlyOnceWith(name, 'other', options)
})

test('without a cookie nothing is read', () => {
  expect(readCookie(openedAt({ host: 'localhost' }).deskRequest, 'desk')).toBe('')
})
