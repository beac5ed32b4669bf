import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpPath } from '#contract/sign-up.ts'
import { developmentKey, percentile } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { settle } from '../rig/account.ts'
import type { Form, Outcome } from '../rig/drill.ts'
import { eventually } from '../rig/eventually.ts'
import { startLoad } from '../rig/load.ts'
import { onStage } from '../rig/stage.ts'

type Kind = 'mute' | 'slow headers' | 'slow body' | 'slow reader' | 'flood'

interface SlowClient {
  kind: Kind
  /** Resolves when it is cut, with the time in ms. */
  stayed: Promise<number>
}

const clients: Record<Kind, number> = {
  mute: 300,
  'slow headers': 300,
  'slow body': 300,
  'slow reader': 50,
  flood: 50,
}
/**
 * Promised: headers are cut after 20 s, bodies and answers after 60 s, and many requests at once as soon as they are read.
 * The rest is for delays of this machine, and of clients that notice the cut when they next write.
 */
const cutWithinMs: Record<Kind, number> = {
  mute: 21_000,
  'slow headers': 21_000,
  'slow body': 61_000,
  'slow reader': 62_000,
  flood: 5_000,
}
/** A slow reader that is cut earlier was not cut by the deadline of its answer. */
const readerStaysMs = 54_000
const readerWritesAfterMs = 50_000
const kinds = Object.keys(clients) as Kind[] // the record has exactly these keys
/** Their garbage does not count: each may leave what the parser made of the 64 kB that were read before its cut. */
const maxHeldMb = 50
const maxP99Ms = 100
const perSecond = 100
/** As many as a connection may have unanswered. The kernel's buffers hold so many of the largest file, and not twice as many. */
const unreadRequests = 16
const askAgainAfterMs = 500
const floodedRequests = 400

/** A thousand clients send nothing, or a byte a second, or never read, while others sign up as usual. */
export function keepSlowClients(_form: Form): Promise<Outcome> {
  return onStage(async (stage) => {
    const { url } = stage.place
    const product = await stage.start({ preload: [tellsMemory] })
    const warmUp = startLoad(url, { connections: 8, perSecond, most: perSecond * 10 })
    await warmUp.finished
    const before = await readMemory(product)
    const largestFile = await findLargestFile(url)

    const slow = (await Promise.all(kinds.map((kind) => openClients(product.port, kind, largestFile)))).flat()
    const load = startLoad(url, { connections: 8, perSecond })
    await sleep(8_000)
    const during = await readMemory(product)
    const stayedMs = await untilAllAreCut(slow)
    await load.stop()
    await sleep(2_000)
    const after = await readMemory(product)

    const acknowledged = warmUp.acknowledged.union(load.acknowledged)
    const { counts, broken } = await settle(stage, [product], { acknowledged })
    const quietP99 = percentile(warmUp.latenciesMs, 0.99)
    const p99 = percentile(load.latenciesMs, 0.99)
    broken.push(...faultsOfCuts(stayedMs))
    const cost = during.held - before.held
    if (cost > maxHeldMb) broken.push(`they hold ${cost.toFixed(0)} MB`)
    if (p99 > maxP99Ms && quietP99 < maxP99Ms / 2)
      broken.push(`p99 of the others rose to ${p99.toFixed(0)} ms`)
    const notes = [
      `held ${before.held.toFixed(0)} MB before, ${during.held.toFixed(0)} with ${slow.length} slow clients, ${after.held.toFixed(0)} after`,
      `resident, with garbage, ${before.resident.toFixed(0)} MB before, ${during.resident.toFixed(0)} with them, ${after.resident.toFixed(0)} after`,
      `p99 of the others ${p99.toFixed(1)} ms (before: ${quietP99.toFixed(1)})`,
      `cut at the latest: ${kinds.map((kind) => `${kind} ${inSeconds(Math.max(...stayedMs[kind]))}`).join(', ')}`,
    ]
    return { counts, broken, notes }
  })
}

function faultsOfCuts(stayedMs: Record<Kind, number[]>): string[] {
  const faults = kinds
    .filter((kind) => Math.max(...stayedMs[kind]) > cutWithinMs[kind])
    .map((kind) => `a client of the kind "${kind}" stayed ${inSeconds(Math.max(...stayedMs[kind]))}`)
  const shortest = Math.min(...stayedMs['slow reader'])
  return shortest < readerStaysMs ? [...faults, `a slow reader was cut after ${inSeconds(shortest)}`] : faults
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** Returns the path of the largest script of the page. */
async function findLargestFile(url: string): Promise<string> {
  const page = await (await fetch(url)).text()
  const paths = [...new Set(Array.from(page.matchAll(/\/assets\/[\w.-]+\.js/g), ([path]) => path))]
  const sizes = await Promise.all(
    paths.map(async (path) => {
      const { headers } = await fetch(url + path, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'identity' },
      })
      return { path, bytes: Number(headers.get('content-length')) }
    }),
  )
  return sizes.toSorted((a, b) => b.bytes - a.bytes)[0]!.path
}

function openClients(port: number, kind: Kind, largestFile: string): Promise<SlowClient[]> {
  return Promise.all(Array.from({ length: clients[kind] }, () => openOne(port, kind, largestFile)))
}

async function openOne(port: number, kind: Kind, largestFile: string): Promise<SlowClient> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const start = performance.now()
  socket.on('error', () => {}) // 'close' follows
  if (kind === 'slow reader' || kind === 'flood') socket.pause()
  else socket.resume()
  const stayed = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now() - start)),
  )
  void trickle(socket, kind, largestFile)
  return { kind, stayed }
}

async function trickle(socket: Socket, kind: Kind, largestFile: string): Promise<void> {
  if (kind === 'mute') return
  const host = `host: localhost:${socket.remotePort}\r\n`
  const post = `POST ${signUpPath} HTTP/1.1\r\n${host}authorization: Bearer ${developmentKey}\r\n`
  const first: Record<Exclude<Kind, 'mute'>, string> = {
    'slow headers': `${post}x-slow: `,
    'slow body': `${post}content-type: application/json\r\ncontent-length: 4000\r\n\r\n{`,
    'slow reader': `GET ${largestFile} HTTP/1.1\r\n${host}\r\n`.repeat(unreadRequests),
    flood: `GET / HTTP/1.1\r\n${host}\r\n`.repeat(floodedRequests),
  }
  socket.write(first[kind])
  if (kind === 'slow reader') {
    await sleep(askAgainAfterMs, undefined, { ref: false })
    socket.write(first[kind])
    await sleep(readerWritesAfterMs, undefined, { ref: false })
  }
  // Line breaks before a request mean nothing (RFC 9112 2.2): no deadline but that of the answer cuts a slow reader.
  const drip = kind === 'slow reader' ? '\r\n' : 'a'
  const dripping = setInterval(() => socket.writable && socket.write(drip), 1_000)
  if (socket.closed) clearInterval(dripping)
  else socket.once('close', () => clearInterval(dripping))
}

async function untilAllAreCut(slow: readonly SlowClient[]): Promise<Record<Kind, number[]>> {
  const stayedMs: Record<Kind, number[]> = {
    mute: [],
    'slow headers': [],
    'slow body': [],
    'slow reader': [],
    flood: [],
  }
  const late = new AbortController()
  const tooLate = sleep(90_000, Infinity, { signal: late.signal }).catch(() => Infinity)
  for (const { kind, stayed } of slow) stayedMs[kind].push(await Promise.race([stayed, tooLate]))
  late.abort()
  return stayedMs
}

async function readMemory(product: Product) {
  return { resident: product.residentMb(), held: await heldMb(product) }
}

/** The memory that a product holds once its garbage is collected. It was started with `tellsMemory`. */
async function heldMb({ pid, printed }: Product): Promise<number> {
  const answers = () => Array.from(printed().matchAll(/^holds (\d+) bytes$/gm), ([, bytes]) => Number(bytes))
  const answered = answers().length
  process.kill(pid, 'SIGUSR2')
  await eventually('the product tells its memory', () => answers().length > answered)
  return answers().at(-1)! / 1024 / 1024
}

/** Preloaded into a product: at SIGUSR2 it collects its garbage and prints what it holds. */
const tellsMemory = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { setFlagsFromString } from 'node:v8'
    import { runInNewContext } from 'node:vm'
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc')
    process.on('SIGUSR2', () => {
      collectGarbage()
      const { heapUsed, external } = process.memoryUsage()
      console.log('holds ' + (heapUsed + external) + ' bytes')
    })`)}`,
)
