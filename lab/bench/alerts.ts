import { generateLoad } from '#rigs/load.ts'
import { type Bench, newSignUps, startBenchProduct } from './bench.ts'
import { compare, p99, type Row, takeRounds } from './rounds.ts'

const signUps = { connections: 16, perSecond: 200 }
const posts = { connections: 32, perSecond: 1_000 }

/** Sign-ups while strangers post to test addresses that do not exist, beside sign-ups alone. */
export async function benchAlerts({ quick, folder }: Bench): Promise<Row[]> {
  const { seconds, rounds } = quick ? { seconds: 1, rounds: 2 } : { seconds: 10, rounds: 7 }
  await using product = await startBenchProduct(folder)
  const { port, url } = product

  async function signUp() {
    const requests = newSignUps(url, signUps.perSecond * seconds)
    const load = generateLoad({ port, ...signUps, next: () => nextOf(requests) })
    await load.finished
    if (load.failed() > 0) throw new Error(`${load.failed()} sign-ups were refused`)
    return { p99Ms: load.p99() }
  }
  async function signUpAmidPosts() {
    const strangers = generateLoad({ port, ...posts, next: () => ({ bytes: postToNobody(url) }) })
    const result = await signUp()
    await strangers.stop()
    return result
  }

  await takeRounds(1, { alone: signUp, amid: signUpAmidPosts })
  const { alone, amid } = await takeRounds(rounds, { amid: signUpAmidPosts, alone: signUp })
  const what = 'p99 of sign-ups, with 1,000 posts a second to unknown test addresses'
  return [compare(what, p99, amid, ['without', alone], { max: 1.3 })]
}

function nextOf(requests: Buffer[]): { bytes: Buffer } | undefined {
  const bytes = requests.pop()
  return bytes && { bytes }
}

let keys = 0

function postToNobody(origin: string): Buffer {
  keys += 1
  const message = '{"ticker": "BTCUSD", "action": "buy"}'
  const lines = [
    `POST /alerts/${String(keys).padStart(22, 'x')} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    'Content-Type: application/json',
    `Content-Length: ${message.length}`,
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${message}`)
}
