import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/**
 * Sets the variables of .env in the working directory, but none that is set. Returns the errors in
 * words for the owner, and then has set nothing.
 */
export function readEnvFile(environment: NodeJS.ProcessEnv): string[] {
  if (!existsSync('.env')) return []
  const faults = cutValues(readFileSync('.env', 'utf8'), environment)
  if (faults.length === 0) process.loadEnvFile()
  return faults
}

/** Node takes each # outside of quotes for the beginning of a comment. */
export function cutValues(text: string, environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(parseEnv(text))
    .filter(([name, value]) => environment[name] === undefined && isCut(text, name, value ?? ''))
    .map(
      ([name]) =>
        `${name} in .env ends at its #: put the value in quotes, ${name}="…". Within a URL write %23 for #`,
    )
}

/** A comment has space before or after its #. */
function isCut(text: string, name: string, value: string): boolean {
  const line = [String.raw`^\s*(?:export\s+)?`, RegExp.escape(name), String.raw`\s*=[^\S\n]*`]
  const end = String.raw`(?<!\s)#(?![ \t])`
  return new RegExp([...line, RegExp.escape(value), end].join(''), 'm').test(text)
}
