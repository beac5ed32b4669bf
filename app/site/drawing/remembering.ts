import { hash } from 'node:crypto'

type Original = string | number | Uint8Array
type Draw<Originals extends Original[]> = (...originals: Originals) => Promise<Uint8Array>

/** Returns a function that draws the same and keeps its last `count` results. */
export function remembering<Originals extends Original[]>(
  count: number,
  draw: Draw<Originals>,
): Draw<Originals> {
  const results = new Map<string, Promise<Uint8Array>>()
  return (...originals) => {
    const key = originals.map(hashOf).join()
    const result = results.get(key) ?? draw(...originals)
    results.delete(key)
    results.set(key, result) // the one used last is the last to go
    result.catch(() => results.delete(key))
    const [oldest] = results.keys()
    if (results.size > count && oldest !== undefined) results.delete(oldest)
    return result
  }
}

function hashOf(original: Original): string {
  return hash('sha256', typeof original === 'number' ? String(original) : original)
}
