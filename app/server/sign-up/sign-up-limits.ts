import type { Connection } from '../database/json-rows.ts'
import { takeTurns } from '../database/take-turns.ts'
import { addToWindows } from './limit-windows.ts'
import { countMailsByAbuseKey } from '../subscribers/subscribers.ts'
import { abuseKey } from './abuse-key.ts'
import type { Registration, SignUp } from './register-sign-ups.ts'

/** Infinity turns a limit off. */
export interface SignUpLimits {
  signUpsPerNetworkIn10Minutes: number
  mailsPerAddressADay: number
}

const tenMinutesMs = 10 * 60_000
const dayMs = 24 * 60 * 60_000

/** Counts each sign-up against the network it came from. `refuse` is asked once per sign-up, in order. */
export async function refusedNetworks(
  connection: Connection,
  signUps: readonly SignUp[],
  { signUpsPerNetworkIn10Minutes: most, now }: SignUpLimits & { now: number },
) {
  if (most === Infinity) return { refuse: () => undefined }
  const amounts = new Map<string, number>()
  for (const { network } of signUps) amounts.set(network, (amounts.get(network) ?? 0) + 1)
  const uses = Array.from(amounts, ([name, amount]) => ({ name, amount }))
  const windows = await addToWindows(connection, uses, tenMinutesMs, now)
  const left = new Map(uses.map(({ name, amount }) => [name, most - (windows.get(name)!.used - amount)]))
  return {
    refuse(network: string): Registration | undefined {
      const before = left.get(network)!
      left.set(network, before - 1)
      if (before > 0) return undefined
      return {
        kind: 'refused',
        by: 'network',
        retryAfterSeconds: secondsUntil(windows.get(network)!.endsAt, now),
      }
    },
  }
}

/** Parts those whose inbox may get another mail today from those whose may not. */
export async function splitByAddressCeiling(
  connection: Connection,
  signUps: readonly SignUp[],
  { mailsPerAddressADay: most, now }: SignUpLimits & { now: number },
) {
  const within: SignUp[] = []
  const above: { signUp: SignUp; retryAfterSeconds: number }[] = []
  if (most === Infinity) return { within: [...signUps], above }
  const keys = signUps.map(({ identity }) => abuseKey(identity))
  await takeTurns(connection, 'abuse key', keys)
  const mails = await countMailsByAbuseKey(connection, keys, now - dayMs)
  const used = new Map(Array.from(mails, ([key, row]) => [key, row.mails]))
  signUps.forEach((signUp, index) => {
    const key = keys[index]!
    const before = used.get(key) ?? 0
    used.set(key, before + 1)
    if (before < most) within.push(signUp)
    else above.push({ signUp, retryAfterSeconds: secondsUntil((mails.get(key)?.first ?? now) + dayMs, now) })
  })
  return { within, above }
}

function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000))
}
