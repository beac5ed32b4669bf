import { describe, expect, test, vi } from 'vitest'
import { challengePath, type Challenge, proofHeader } from '#contract/proof-of-work.ts'
import { prove } from '#pages/browser/prove-work.ts'
import { testApp } from '#rigs/server/test-app.ts'
import { openList, start } from '#rigs/server/test-list.ts'
import { makeStaticFile } from '../http/static-files.ts'
import { challengeLastsMs, checkProof, makeChallenge } from './proof-of-work.ts'
import { writeStorm } from './storm.ts'

const secret = 'a key'
const ada = 'ada@example.com'

describe('a proof', () => {
  test('counts for its identity and for ten minutes', async () => {
    const proof = await solved(ada)
    expect(checkProof(proof, ada, secret, start)).toMatch(/^[\w-]{16}$/)
    expect(checkProof(proof, ada, secret, start + challengeLastsMs - 1)).toBeDefined()
    expect(checkProof(proof, ada, secret, start + challengeLastsMs)).toBeUndefined()
    expect(checkProof(proof, 'bob@example.com', secret, start)).toBeUndefined()
    expect(checkProof(proof, ada, 'another key', start)).toBeUndefined()
  })

  test('in another format is ignored', () => {
    for (const proof of ['', 'a', '....', 'zzzzzzzz.a.b.0', `${'9'.repeat(500)}.a.b.1`])
      expect(checkProof(proof, ada, secret, start)).toBeUndefined()
  })

  test('takes some thousand tries to find and one to check', async () => {
    const proofs = [await solved('a@example.com'), await solved('b@example.com')]
    const counters = proofs.map((proof) => Number(proof.split('.').at(-1)))
    expect(Math.max(...counters)).toBeGreaterThan(50)
  })
})

describe('in a storm', () => {
  test('sign-ups with a proof get lower lanes than those without, and nobody is refused', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 20, isStorm: true, secret })
    const proof = await solved(ada)
    const quiet = { network: 'quiet', widerNetwork: undefined }
    await list.signUp('without@example.com', 0, quiet)
    await list.signUp(ada, 0, { ...quiet, network: 'another' }, proof)
    expect(await list.signUp('bob@example.com', 0, quiet, await solved('bob@example.com'))).toBe('registered')
    await list.signUp('busy@example.com', 0, quiet)
    expect(await lanesOf(list)).toEqual({ ada: 0, bob: 1, busy: 3, without: 2 })
  })

  test('a proof counts once', async () => {
    const list = await openList({ isStorm: true, secret, resendAfterMs: 0 })
    const proof = await solved(ada)
    await list.signUp(ada, 0, undefined, proof)
    await list.database.query.deleteFrom('subscribers').execute()
    await list.signUp(ada, 1, undefined, proof)
    expect(await lanesOf(list)).toEqual({ ada: 2 })
  })

  test('the server issues challenges; without a storm it issues none', async () => {
    const files = new Map([['/assets/prove-work-abc.js', makeStaticFile(Buffer.from(''), new Map(), {})]])
    const app = await testApp({ parts: { files } })
    const ask = () => fetch(app.url + challengePath)
    expect((await ask()).status).toBe(204)
    await writeStorm(app.database.query, { mode: 'on' })
    app.clock.advance(1_000)
    const answer = await ask()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { challenge, module }: Challenge = await answer.json()
    expect(module).toBe('/assets/prove-work-abc.js')
    const proof = await proved(challenge, ada)
    await app.signUp(ada, { [proofHeader]: proof })
    await app.signUp('bob@example.com')
    const lanes = await app.database.query.selectFrom('deliveries').select('lane').orderBy('id').execute()
    expect(lanes.map(({ lane }) => lane)).toEqual([0, 2])
    expect((await fetch(app.url + challengePath, { method: 'POST' })).status).toBe(404)
  })
})

const solved = (identity: string) => proved(makeChallenge(secret, start), identity)

/** However slow the machine is: by its clock, a browser gives up after 5 s. */
async function proved(challenge: string, identity: string): Promise<string> {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  const proof = await prove(challenge, identity)
  clock.mockRestore()
  return proof!
}

async function lanesOf({ database }: Awaited<ReturnType<typeof openList>>) {
  const mails = database.query.selectFrom('deliveries').innerJoin('subscribers as s', 's.id', 'subscriber')
  const rows = await mails.select(['identity', 'lane']).execute()
  return Object.fromEntries(rows.map(({ identity, lane }) => [identity.split('@')[0], lane]))
}
