import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/**
 * Sets the variables of .env in the working directory, but none that is set. Returns the errors in
 * words for the owner, and then has set nothing.
 */
export function readEnvFile(environment: NodeJS.ProcessEnv): string[] {
  if (!existsSync('.env')) return []
  const text = decode(readFileSync('.env'))
  if (text === undefined) return ['.env is not UTF-8 text: save it as UTF-8']
  const faults = cutValues(text, environment)
  if (faults.length > 0) return faults
  for (const [name, value] of Object.entries(parseEnv(text))) environment[name] ??= value
  return []
}

/** Without a byte order mark. Undefined: it is no UTF-8, such as what PowerShell 5 writes. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A variable with what follows its =: a quoted text and the rest of its line, or the line. */
const entries =
  /^[^\S\n]*(?:export[^\S\n]+)?([^\s=#]+)[^\S\n]*=(?:[^\S\n]*(["'`])[^]*?\2(.*)|(.*))$/gm

/** Values of which Node keeps a part alone, in words. It knows no escaped quotes. */
export function cutValues(text: string, environment: NodeJS.ProcessEnv): string[] {
  const faults = new Map<string, string | undefined>() // the last value of a name counts
  for (const [, name = '', quote, rest = '', line = ''] of text.matchAll(entries)) {
    const fault = quote ? faultAfterQuote(name, quote, rest) : faultOfLine(name, line)
    faults.set(name, environment[name] === undefined ? fault : undefined)
  }
  return [...faults.values()].filter((fault) => fault !== undefined)
}

function faultAfterQuote(name: string, quote: string, rest: string): string | undefined {
  if (/^\s*(?:#|$)/.test(rest)) return undefined
  const other = quote === "'" ? '"' : "'"
  return `${name} in .env ends at its second ${quote}: put other quotes around the value, ${name}=${other}…${other}`
}

/** A comment has space before its #, or words after it. */
function faultOfLine(name: string, line: string): string | undefined {
  const [quote] = /^["'`]/.exec(line.trimStart()) ?? []
  if (quote) return `${name} in .env begins with a ${quote} that is not closed`
  if (!/^(?:[^#]*[^\s#])?#(?![ \t]+\S)/.test(line)) return undefined
  return `${name} in .env ends at its #: put the value in quotes, ${name}="…". Within a URL write %23 for #`
}
