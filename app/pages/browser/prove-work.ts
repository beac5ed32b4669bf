import { isSolution, workBytes, workPassword, workRounds } from '#contract/proof-of-work.ts'

/** The browser computes in threads of its own. This one takes a rest so often that typing is never held up. */
const atOnce = 8
const restEveryMs = 20
const atMostMs = 5_000

/** Loaded only in a storm. Resolves to undefined if it takes too long: the sign-up then goes without. */
export async function prove(challenge: string, identity: string): Promise<string | undefined> {
  const encoder = new TextEncoder()
  const password = encoder.encode(workPassword(challenge, identity))
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
  const solves = async (counter: number) => {
    const salt = encoder.encode(String(counter))
    const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: workRounds }
    return isSolution(new DataView(await crypto.subtle.deriveBits(how, key, 8 * workBytes)))
  }
  const end = performance.now() + atMostMs
  let restedAt = -Infinity
  for (let first = 0; performance.now() < end; first += atOnce) {
    if (performance.now() - restedAt > restEveryMs) {
      await new Promise((resolve) => setTimeout(resolve))
      restedAt = performance.now()
    }
    const solved = await Promise.all(Array.from({ length: atOnce }, (_, index) => solves(first + index)))
    if (solved.includes(true)) return `${challenge}.${first + solved.indexOf(true)}`
  }
  return undefined
}
