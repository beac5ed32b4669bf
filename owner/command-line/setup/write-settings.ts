import { inspect } from 'node:util'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

/** Replaces string values of content/brand.ts and leaves the rest of the file as it is. */
export function changeBrand(source: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [key, value]) => {
    const line = new RegExp(String.raw`^(  ${key}: )(['"\x60])(?:\\.|(?!\2).)*\2`, 'm')
    if (!line.test(text)) throw new Error(`content/brand.ts has no line "${key}: '…'"`)
    return text.replace(line, (_found, start: string) => start + inspect(value))
  }, source)
}

const noOffer = 'export const offer: Offer | undefined = undefined'

/** True if content/offer.ts has no offer yet. */
export function hasNoOffer(source: string): boolean {
  return source.includes(noOffer)
}

export function writeOffer(source: string, offer: Readonly<Record<string, string>>): string {
  return source.replace(noOffer, () => noOffer.replace(/undefined$/, '') + inspect(offer))
}

/** Sets variables in the text of an .env file; an empty value unsets one. Other lines stay as they are. */
export function changeEnv(source: string, values: Readonly<Record<string, string>>): string {
  const set = new Set<string>()
  const lines = source.split('\n').flatMap((line) => {
    const name = /^([A-Z][A-Z\d_]*)=/.exec(line)?.[1]
    const value = name === undefined ? undefined : values[name]
    if (name === undefined || value === undefined) return [line]
    if (set.has(name)) return []
    set.add(name)
    return [`${name}=${envQuoted(value)}`]
  })
  const added = Object.entries(values)
    .filter(([name, value]) => !set.has(name) && value !== '')
    .map(([name, value]) => `${name}=${envQuoted(value)}`)
  const start = lines.join('\n').replace(/\n+$/, '')
  return `${[...(start === '' ? [] : [start]), ...added].join('\n')}\n`
}

/** Writes the file whole or not at all. `mode`: of a file that holds a secret, 0o600. */
export function replaceFile(path: string, text: string, mode?: number): void {
  const fresh = `${path}.new`
  const file = openSync(fresh, 'w', mode)
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
  renameSync(fresh, path)
}

export function readIfExists(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Node's .env reader knows three kinds of quotes and no escape. */
function envQuoted(value: string): string {
  if (/^[\w@%+=:,./-]*$/.test(value)) return value
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark))
  if (quote === undefined) throw new Error('The value holds all three kinds of quotes')
  return quote + value + quote
}
