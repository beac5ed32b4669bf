import { generateLoad, type LoadRequest } from '#rigs/http/load.ts'
import { type Bench, newSignUps, startBenchProduct } from './rig/bench.ts'
import { compare, p99, type Row, takeRounds } from './rig/rounds.ts'

const signUps = { connections: 16, perSecond: 200 }
const posts = { connections: 32, perSecond: 1_000 }

/** Sign-ups while strangers post to test addresses that do not exist, beside sign-ups alone. */
export async function benchAlerts({ quick, folder }: Bench): Promise<Row[]> {
  const { seconds, rounds } = quick ? { seconds: 1, rounds: 2 } : { seconds: 10, rounds: 7 }
  await using product = await startBenchProduct(folder)
  const { port, url } = product

  async function signUp() {
    const requests = newSignUps(url, signUps.perSecond * seconds)
    const load = generateLoad({ port, ...signUps, next: () => next(requests) })
    await load.finished
    if (load.failed() > 0) throw new Error(`${load.failed()} sign-ups were refused`)
    return { p99Ms: load.p99() }
  }
  async function signUpAmidPosts() {
    const strangers = generateLoad({ port, ...posts, next: () => ({ request: postToNobody(url) }) })
    const result = await signUp()
    await strangers.stop()
    return result
  }

  await takeRounds(1, { alone: signUp, amid: signUpAmidPosts })
  const { alone, amid } = await takeRounds(rounds, { amid: signUpAmidPosts, alone: signUp })
  const what = 'p99 of sign-ups, with 1,000 posts a second to unknown test addresses'
  return [compare(what, p99, amid, ['without', alone], { max: 1.3 })]
}

function next(requests: LoadRequest[]): { request: LoadRequest } | undefined {
  const request = requests.pop()
  return request && { request }
}

let keys = 0

function postToNobody(origin: string): LoadRequest {
  keys += 1
  return {
    method: 'POST',
    path: `/alerts/${String(keys).padStart(22, 'x')}`,
    headers: { host: new URL(origin).host, 'content-type': 'application/json' },
    body: '{"ticker": "BTCUSD", "action": "buy"}',
  }
}
