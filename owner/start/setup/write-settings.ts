import { inspect } from 'node:util'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Replaces string values of content/brand.ts and leaves the rest of the file as it is. */
export function changeBrand(source: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [key, value]) => {
    const line = new RegExp(String.raw`^(  ${key}: )(['"\x60])(?:\\.|(?!\2).)*\2`, 'm')
    if (!line.test(text)) throw new Error(`content/brand.ts has no line "${key}: '…'"`)
    return text.replace(line, (_found, start: string) => start + inspect(value))
  }, source)
}

/** In content/offer.ts. */
export const noOffer = 'export const offer: Offer | undefined = undefined'

/**
 * Sets variables in the text of an .env file; an empty value unsets one. Other lines stay as they
 * are.
 */
export function changeEnv(source: string, values: Readonly<Record<string, string>>): string {
  const others = source.split('\n').filter((line) => !Object.hasOwn(values, line.split('=', 1)[0]!))
  const set = Object.entries(values).filter(([, value]) => value !== '')
  const lines = set.map(([name, value]) => `${name}=${envQuoted(value)}\n`)
  return [others.join('\n').trimEnd(), '\n', ...lines].join('').trimStart()
}

/** Writes the file whole or not at all. `mode`: of a file that holds a secret, 0o600. */
export function replaceFile(path: string, text: string, mode?: number): void {
  writeFileSync(`${path}.new`, text, { mode, flush: true })
  renameSync(`${path}.new`, path)
}

/** Empty if there is none. */
export function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Node's .env reader knows three kinds of quotes and no escape. */
function envQuoted(value: string): string {
  if (/^[\w@%+=:,./-]*$/.test(value)) return value
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark))
  if (quote === undefined) throw new Error('The value holds all three kinds of quotes')
  return quote + value + quote
}
