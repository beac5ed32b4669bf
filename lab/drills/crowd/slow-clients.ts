import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpPath } from '#contract/sign-up.ts'
import { eventually } from '#rigs/eventually.ts'
import { developmentKey } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { type Form, onStage, seconds, type Stage } from '../rig/stage.ts'

interface Kind {
  name: string
  clients: number
  /** Sent first. `host` is the header with its line end. */
  first(host: string, largestFile: string): string
  /** Sent once a second from then on. */
  drip?: string
  neverReads?: boolean
  /** ms before it sends `first` again, and before it drips. */
  pausesMs?: [again: number, drips: number]
  cutWithinMs: number
  /** A cut before this time does not come from its own deadline. */
  staysMs?: number
}

const post = (host: string) =>
  `POST ${signUpPath} HTTP/1.1\r\n${host}authorization: Bearer ${developmentKey}\r\n`
/** The number of unanswered requests that a connection may have. The kernel's buffers hold that many of the largest file, but not twice as many. */
const unreadRequests = 16
const floodedRequests = 400

/**
 * Promised: headers are cut after 20 s, bodies and answers after 60 s, and many requests at once as soon as they are read.
 * The rest is for delays of this machine, and of clients that notice the cut when they next write.
 */
const kinds: Kind[] = [
  { name: 'mute', clients: 300, first: () => '', cutWithinMs: 21_000 },
  {
    name: 'slow headers',
    clients: 300,
    first: (host) => `${post(host)}x-slow: `,
    drip: 'a',
    cutWithinMs: 21_000,
  },
  {
    name: 'slow body',
    clients: 300,
    first: (host) => `${post(host)}content-type: application/json\r\ncontent-length: 4000\r\n\r\n{`,
    drip: 'a',
    cutWithinMs: 61_000,
  },
  {
    name: 'slow reader',
    clients: 50,
    first: (host, file) => `GET ${file} HTTP/1.1\r\n${host}\r\n`.repeat(unreadRequests),
    // Line breaks before a request mean nothing (RFC 9112 2.2): no deadline but that of the answer cuts a slow reader.
    drip: '\r\n',
    neverReads: true,
    pausesMs: [500, 50_000],
    cutWithinMs: 62_000,
    staysMs: 54_000,
  },
  {
    name: 'flood',
    clients: 50,
    first: (host) => `GET / HTTP/1.1\r\n${host}\r\n`.repeat(floodedRequests),
    drip: 'a',
    neverReads: true,
    cutWithinMs: 5_000,
  },
]
/** Their garbage does not count: each may leave what the parser made of the 64 kB that were read before its cut. */
const maxHeldMb = 50
const maxP99Ms = 100
const pace = { connections: 8, perSecond: 100 }

/** A thousand clients send nothing, or a byte a second, or never read, while others sign up as usual. */
export function keepSlowClients(_form: Form) {
  return onStage(async (stage) => {
    const { url } = stage.place
    const product = await stage.start({ preload: [printsMemory] })
    const quiet = stage.crowd({ ...pace, count: pace.perSecond * 10 })
    await quiet.finished
    const before = await readMemory(product)
    const largestFile = await findLargestFile(url)

    const opened = kinds.map((kind) => ({ kind, stayed: openClients(product.port, kind, largestFile) }))
    const others = stage.crowd(pace)
    await sleep(8_000)
    const during = await readMemory(product)
    for (const { kind, stayed } of opened) expectCuts(stage, kind, await Promise.all(stayed))
    await others.stop()
    await sleep(2_000)
    const after = await readMemory(product)

    await stage.settle([product])
    const [p99, quietP99] = [others.p99(), quiet.p99()]
    const inMb = (mb: number) => mb.toFixed(0)
    const cost = during.held - before.held
    const isSlow = p99 > maxP99Ms && quietP99 < maxP99Ms / 2
    stage.expect(cost <= maxHeldMb, `they hold ${inMb(cost)} MB`)
    stage.expect(!isSlow, `p99 of the others rose to ${p99.toFixed(0)} ms`)
    stage.note(
      `held ${inMb(before.held)} MB before, ${inMb(during.held)} with the slow clients, ${inMb(after.held)} after; resident, with garbage, ${inMb(before.resident)}, ${inMb(during.resident)}, ${inMb(after.resident)}`,
    )
    stage.note(`p99 of the others ${p99.toFixed(1)} ms (before: ${quietP99.toFixed(1)})`)
  })
}

function expectCuts(stage: Stage, { name, cutWithinMs, staysMs = 0 }: Kind, stayedMs: number[]): void {
  const [shortest, longest] = [Math.min(...stayedMs), Math.max(...stayedMs)]
  stage.expect(longest <= cutWithinMs, `a client of the kind "${name}" stayed ${seconds(longest)}`)
  stage.expect(shortest >= staysMs, `a ${name} was cut after ${seconds(shortest)}`)
  stage.note(`${name}: cut at the latest after ${seconds(longest)}`)
}

/** Returns the path of React, the largest script of the page. */
async function findLargestFile(url: string): Promise<string> {
  return /\/assets\/react-[\w-]+\.js/.exec(await (await fetch(url)).text())![0]
}

/** Each resolves to the ms after which it was cut; Infinity: it was not. */
function openClients(port: number, kind: Kind, largestFile: string): Promise<number>[] {
  return Array.from({ length: kind.clients }, async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const start = performance.now()
    socket.on('error', () => {}) // 'close' follows
    if (kind.neverReads) socket.pause()
    else socket.resume()
    const closed = new Promise((resolve) => socket.once('close', resolve)).then(
      () => performance.now() - start,
    )
    const first = kind.first(`host: localhost:${port}\r\n`, largestFile)
    socket.write(first)
    if (kind.pausesMs) {
      await sleep(kind.pausesMs[0])
      socket.write(first)
      await sleep(kind.pausesMs[1])
    }
    const dripping = setInterval(() => kind.drip && socket.writable && socket.write(kind.drip), 1_000)
    const tooLate = sleep(kind.cutWithinMs * 2, Infinity, { ref: false })
    return Promise.race([closed, tooLate]).finally(() => clearInterval(dripping))
  })
}

/** Memory in MB. `held` is what stays once garbage is collected; the product was started with `printsMemory`. */
async function readMemory(product: Product) {
  const answers = () =>
    Array.from(product.printed().matchAll(/^holds (\d+) bytes$/gm), ([, bytes]) => Number(bytes))
  const answered = answers().length
  const resident = product.residentMb()
  process.kill(product.pid, 'SIGUSR2')
  await eventually('the product prints its memory', () => answers().length > answered)
  return { resident, held: answers().at(-1)! / 1024 / 1024 }
}

/** Preloaded into a product: at SIGUSR2 it collects its garbage and prints what it holds. */
const printsMemory = new URL(
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
