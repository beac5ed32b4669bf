import { type Challenge, challengePath } from '#contract/proof-of-work.ts'

type Prove = (identity: string) => Promise<string | undefined>

const askForMs = 2_000
const askAgainAfterMs = 8 * 60_000

let asked: { at: number; proving: Promise<Prove | undefined> } | undefined

/** Asks once for the work that a sign-up needs in a storm, when a visitor comes to the field. */
export function prepareProof(): void {
  if (!asked || Date.now() - asked.at > askAgainAfterMs) asked = { at: Date.now(), proving: askForWork() }
}

/** Never throws. A challenge can be used once. */
export async function proofFor(identity: string): Promise<string | undefined> {
  prepareProof()
  const proving = asked?.proving
  asked = undefined
  return (await proving)?.(identity).catch(() => undefined)
}

async function askForWork(): Promise<Prove | undefined> {
  try {
    const answer = await fetch(challengePath, { signal: AbortSignal.timeout(askForMs) })
    if (answer.status !== 200) return undefined
    const { challenge, module }: Challenge = await answer.json()
    const { prove } = await import(/* @vite-ignore */ module)
    return (identity) => prove(challenge, identity)
  } catch {
    return undefined
  }
}
