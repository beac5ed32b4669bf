import type { DeskRequest, Session } from './desk-request.ts'

/**
 * Who may call: each procedure, and each route of bytes, names its guard. anyone: also strangers.
 * owner: whoever is signed in. proof: the owner, who has proved it within the last 15 minutes. It
 * guards each call that mails people, moves mail or links, gives access, or hands out the list.
 */
export type Guard = 'anyone' | 'owner' | 'proof'

interface GuardRefusal {
  code: 'UNAUTHORIZED' | 'FORBIDDEN'
  status: 401 | 403
  message: string
}

/** Undefined: the call goes on. After a refusal the browser asks who is there, and calls again. */
export function refusalOf(
  guard: Guard,
  { session, ownerEmail, server }: Pick<DeskRequest, 'session' | 'ownerEmail' | 'server'>,
): GuardRefusal | undefined {
  if (guard === 'anyone') return undefined
  if (!session || ownerEmail === undefined) {
    return { code: 'UNAUTHORIZED', status: 401, message: 'Nobody is signed in here.' }
  }
  if (guard === 'owner' || isProofFresh(session, server.now())) return undefined
  const message = 'Confirm that it is you: the last proof is older than 15 minutes.'
  return { code: 'FORBIDDEN', status: 403, message }
}

const proofMs = 15 * 60_000

function isProofFresh({ signed_in_at }: Session, now: number): boolean {
  return now < signed_in_at + proofMs
}
