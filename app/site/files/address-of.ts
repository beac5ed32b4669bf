import { createHash } from 'node:crypto'

/** The address of a file at the site's root. It changes with the bytes: a browser keeps them. */
export function addressOf(name: string, bytes: Uint8Array): string {
  return `/${name}?${createHash('sha256').update(bytes).digest('base64url').slice(0, 8)}`
}
