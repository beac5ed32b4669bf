/** One thing that a person does. `at`: hours since the start. */
interface Act {
  at: number
  does: 'join' | ChangeOfMind | Import
}

export type ChangeOfMind = 'agree' | 'refuse' | 'leave' | 'block' | 'erase'
export type Import = 'import' | 'import-consented'

export interface PersonsAct extends Act {
  address: string
}

/** The acts of this many people over three weeks. They are the same in each run. */
export function livesOf(people: number): PersonsAct[] {
  const random = randomNumbers(7)
  return Array.from({ length: people }, (_, index) => lifeOf(index, random)).flat()
}

function lifeOf(index: number, random: () => number): PersonsAct[] {
  const address = `person-${index}@example.com`
  const chance = (share: number) => random() < share
  const within = (hours: number) => Math.floor(random() * hours)
  const joined = within(14 * 24)
  const isImported = chance(0.15)
  // A restore undoes what was imported since its backup.
  const imported = joined > 7 * 24 && joined < 11 * 24 ? joined + 5 * 24 : joined
  const acts: Act[] = isImported
    ? [{ at: imported, does: chance(0.5) ? 'import' : 'import-consented' }]
    : [{ at: joined, does: 'join' }]
  let at = isImported ? imported : joined
  const then = (share: number, hours: number, does: Act['does']) => {
    if (!chance(share)) return false
    at += 1 + within(hours)
    acts.push({ at, does })
    return true
  }
  then(0.8, 48, 'agree')
  if (then(0.2, 200, 'refuse')) then(0.6, 60, 'agree')
  const ends = ['leave', 'block', 'erase'] as const
  then(0.2, 300, ends[within(3)]!)
  return acts.map((one) => ({ ...one, address }))
}

/** Numbers from 0 to 1, the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
