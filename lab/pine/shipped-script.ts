import { readFileSync } from 'node:fs'

/** The Pine script as it is given away, unless the owner gives away one of their own. */
export function shippedScript(): string {
  return readFileSync(new URL('../../app/kit/ema-crossover.pine', import.meta.url), 'utf8')
}
