import { randomBytes } from 'node:crypto'

const tokenForm = /^[\w-]{22}$/

/** 128 random bits as 22 characters of base64url. */
export function newToken(): string {
  return randomBytes(16).toString('base64url')
}

export function isTokenForm(text: string): boolean {
  return tokenForm.test(text)
}
