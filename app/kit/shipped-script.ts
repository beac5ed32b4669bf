import { readFileSync } from 'node:fs'
import { scriptName } from './kit-files.ts'

/** The Pine script as it is given away. */
export function shippedScript(): string {
  return readFileSync(new URL(scriptName, import.meta.url), 'utf8')
}
