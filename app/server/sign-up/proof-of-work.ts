import { createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { type Challenge, isSolution, workBytes, workPassword, workRounds } from '#contract/proof-of-work.ts'
import { type Answer, jsonAnswer } from '../http/answer.ts'
import { isSameSecret } from '../http/gate.ts'
import type { StaticFile } from '../http/static-files.ts'
import type { ServerContext } from '../start/extension.ts'
import type { SiteState } from './storm.ts'

export const challengeLastsMs = 10 * 60_000

export interface ChallengeDeps extends ServerContext {
  siteState: () => Promise<SiteState>
  /** By path: assets and the files at the site's root. */
  files: ReadonlyMap<string, StaticFile>
}

/** Answers 204 unless there is a storm. Nothing is stored for a challenge. */
export async function answerChallenge({ siteState, files, secret, now }: ChallengeDeps): Promise<Answer> {
  const module = files.keys().find((path) => path.startsWith('/assets/prove-work-'))
  const { isStorm } = await siteState()
  if (!isStorm || !module) return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' }
  return jsonAnswer(200, { challenge: makeChallenge(secret, now()), module } satisfies Challenge)
}

export function makeChallenge(secret: string, now: number): string {
  const stem = `${(now + challengeLastsMs).toString(36)}.${randomBytes(12).toString('base64url')}`
  return `${stem}.${sign(stem, secret)}`
}

/** Returns the name under which the use of the challenge is counted. Undefined: the proof is invalid for this identity. */
export function checkProof(proof: string, identity: string, secret: string, now: number): string | undefined {
  const [endsAt = '', random = '', signature = '', counter = '', ...rest] = proof.split('.')
  const stem = `${endsAt}.${random}`
  if (rest.length > 0 || !(Number.parseInt(endsAt, 36) > now)) return undefined
  if (!isSameSecret(signature, sign(stem, secret))) return undefined
  const password = workPassword(`${stem}.${signature}`, identity)
  const { buffer, byteOffset } = pbkdf2Sync(password, counter, workRounds, workBytes, 'sha256')
  return isSolution(new DataView(buffer, byteOffset, workBytes)) ? random : undefined
}

function sign(stem: string, secret: string): string {
  return createHmac('sha256', secret).update(`challenge ${stem}`).digest('base64url').slice(0, 22)
}
