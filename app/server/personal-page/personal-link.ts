import { randomBytes, timingSafeEqual } from 'node:crypto'

const tokenForm = /^[\w-]{22}$/

/** 128 bits from the system's generator as 22 characters of base64url. */
export function newToken(): string {
  return randomBytes(16).toString('base64url')
}

export function isTokenForm(text: string): boolean {
  return tokenForm.test(text)
}

/** In constant time: how long it takes tells nothing of how much was right. */
export function isSameToken(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
