import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpPath } from '#contract/sign-up.ts'
import { percentile } from '#rigs/load.ts'
import { settleAccounts } from './rig/account.ts'
import type { Form, Outcome } from './rig/drill.ts'
import { startLoad } from './rig/load.ts'
import { inMegabytes, median, residentBytes } from './rig/memory.ts'
import { untilNothingIsOwed } from './rig/records.ts'
import { onStage } from './rig/stage.ts'

type Kind = 'mute' | 'slow headers' | 'slow body' | 'slow reader'

interface SlowClient {
  kind: Kind
  /** Resolves when it is cut, with how long that took in ms. */
  stayed: Promise<number>
}

const clients: Record<Kind, number> = { mute: 300, 'slow headers': 300, 'slow body': 300, 'slow reader': 100 }
/** Promised: headers are cut after 20 s, bodies and answers after 60 s. The rest is for delays of this machine. */
const cutWithinMs: Record<Kind, number> = {
  mute: 21_000,
  'slow headers': 21_000,
  'slow body': 61_000,
  'slow reader': 62_000, // it notices the cut when it next writes
}
const kinds = Object.keys(clients) as Kind[] // the record has exactly these keys
const maxBytes = 50 * 1024 * 1024
const maxP99Ms = 100
const perSecond = 100
/** Their answers are more than the kernel's buffers hold. */
const pipelinedRequests = 400

/** A thousand clients that send nothing, or a byte a second, or never read, beside others that sign up as usual. */
export function keepSlowClients(_form: Form): Promise<Outcome> {
  return onStage(async ({ place: { url, databaseFile }, mailbox, start }) => {
    const product = await start()
    const warmUp = startLoad(url, { connections: 8, perSecond, most: perSecond * 10 })
    await warmUp.finished
    const before = await restingBytes(product.pid)

    const slow = await openSlowClients(product.port)
    const load = startLoad(url, { connections: 8, perSecond })
    await sleep(8_000)
    const during = await restingBytes(product.pid)
    const longestMs = await untilAllAreCut(slow)
    await load.stop()
    await sleep(2_000)
    const after = await restingBytes(product.pid)
    await untilNothingIsOwed(databaseFile, 60_000)
    await product.terminate()
    await mailbox.idle()

    const acknowledged = new Set([...warmUp.acknowledged, ...load.acknowledged])
    const { counts, broken } = settleAccounts({ databaseFile, acknowledged, mails: mailbox.mails })
    const quietP99 = percentile(warmUp.latenciesMs, 0.99)
    const p99 = percentile(load.latenciesMs, 0.99)
    broken.push(...faultsOfCuts(longestMs))
    if (during - before > maxBytes) broken.push(`they cost ${inMegabytes(during - before)} MB`)
    if (p99 > maxP99Ms && quietP99 < maxP99Ms / 2)
      broken.push(`p99 of the others rose to ${p99.toFixed(0)} ms`)
    const notes = [
      `memory ${inMegabytes(before)} MB before, ${inMegabytes(during)} with ${slow.length} slow clients, ${inMegabytes(after)} after`,
      `p99 of the others ${p99.toFixed(1)} ms (before: ${quietP99.toFixed(1)})`,
      `cut at the latest: ${kinds.map((kind) => `${kind} ${(longestMs[kind] / 1000).toFixed(1)} s`).join(', ')}`,
    ]
    return { counts, broken, notes }
  })
}

function faultsOfCuts(longestMs: Record<Kind, number>): string[] {
  return kinds
    .filter((kind) => longestMs[kind] > cutWithinMs[kind])
    .map((kind) => `a client of the kind "${kind}" stayed ${(longestMs[kind] / 1000).toFixed(1)} s`)
}

function openSlowClients(port: number): Promise<SlowClient[]> {
  const all = kinds.flatMap((kind) => Array.from({ length: clients[kind] }, () => openOne(port, kind)))
  return Promise.all(all)
}

async function openOne(port: number, kind: Kind): Promise<SlowClient> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const start = performance.now()
  socket.on('error', () => {}) // 'close' follows
  if (kind === 'slow reader') socket.pause()
  else socket.resume()
  const stayed = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now() - start)),
  )
  trickle(socket, kind)
  return { kind, stayed }
}

function trickle(socket: Socket, kind: Kind): void {
  if (kind === 'mute') return
  const host = `host: localhost:${socket.remotePort}\r\n`
  const post = `POST ${signUpPath} HTTP/1.1\r\n${host}authorization: Bearer starter-bot-development-key\r\n`
  const first: Record<Exclude<Kind, 'mute'>, string> = {
    'slow headers': `${post}x-slow: `,
    'slow body': `${post}content-type: application/json\r\ncontent-length: 4000\r\n\r\n{`,
    'slow reader': `GET / HTTP/1.1\r\n${host}\r\n`.repeat(pipelinedRequests),
  }
  socket.write(first[kind])
  const dripping = setInterval(() => socket.writable && socket.write('a'), 1_000)
  socket.once('close', () => clearInterval(dripping))
}

async function untilAllAreCut(slow: readonly SlowClient[]): Promise<Record<Kind, number>> {
  const longest: Record<Kind, number> = { mute: 0, 'slow headers': 0, 'slow body': 0, 'slow reader': 0 }
  const late = new AbortController()
  const tooLate = sleep(90_000, Infinity, { signal: late.signal }).catch(() => Infinity)
  for (const { kind, stayed } of slow)
    longest[kind] = Math.max(longest[kind], await Promise.race([stayed, tooLate]))
  late.abort()
  return longest
}

/** Median over a second: garbage comes and goes. */
async function restingBytes(pid: number): Promise<number> {
  const samples: number[] = []
  for (let look = 0; look < 10; look += 1) {
    samples.push(residentBytes(pid) ?? 0)
    await sleep(100)
  }
  return median(samples) ?? 0
}
