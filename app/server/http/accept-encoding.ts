import { codings, type Coding } from './compress.ts'

/**
 * The coding to send out of the ones at hand, by an Accept-Encoding header (RFC 9110 12.5.3): the highest weight wins, and
 * of equal ones the smallest bytes. Undefined: send the bytes as they are, which is right even for a client that forbids it.
 */
export function chooseCoding(
  header: string | undefined,
  atHand: ReadonlyMap<Coding, unknown>,
): Coding | undefined {
  if (header === undefined || atHand.size === 0) return undefined
  const weights = readWeights(header)
  const anyOther = weights.get('*') ?? 0
  let best: Coding | undefined
  let bestWeight = weights.get('identity') ?? 0
  for (const { coding } of codings) {
    const weight = weights.get(coding) ?? anyOther
    if (!atHand.has(coding) || weight === 0) continue
    if (best === undefined ? weight >= bestWeight : weight > bestWeight) {
      best = coding
      bestWeight = weight
    }
  }
  return best
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    const [coding = '', ...parameters] = part.split(';')
    const weight = parameters.map((parameter) => /^\s*q=(.*)$/i.exec(parameter)?.[1]).find(Boolean)
    weights.set(coding.trim().toLowerCase(), weight === undefined ? 1 : Number(weight) || 0)
  }
  return weights
}
