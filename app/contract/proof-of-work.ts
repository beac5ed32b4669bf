/** The path of the challenge that a page solves in a storm: docs/decisions/0047. Any method but GET is answered with 404. */
export const challengePath = '/challenge'

/** Carries the challenge, a dot, and the counter that solves it. The page sends it to its own origin only. */
export const proofHeader = 'x-proof-of-work'

/** The answer of status 200. 204: there is nothing to solve. */
export interface Challenge {
  challenge: string
  /** Address of the module that solves it. */
  module: string
}

/**
 * A counter solves a challenge for an identity if PBKDF2 (SHA-256) of both, with the counter as its salt, begins with `zeroBits`
 * zeros. The rounds are few, because the page has to make thousands of tries.
 */
export const workRounds = 64
const zeroBits = 12
export const workBytes = 4

export function workPassword(challenge: string, identity: string): string {
  return `${challenge} ${identity}`
}

export function isSolution(derived: DataView): boolean {
  return derived.getUint32(0) >>> (8 * workBytes - zeroBits) === 0
}
