import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpPath } from '#contract/sign-up.ts'
import { settleAccounts } from './rig/account.ts'
import type { Form, Outcome } from './rig/drill.ts'
import { inDrillFolder } from './rig/drill-folder.ts'
import { percentile, startLoad } from './rig/load.ts'
import { openMailbox } from './rig/mailbox.ts'
import { inMegabytes, median, residentBytes } from './rig/memory.ts'
import { findPlace, startProduct } from './rig/product.ts'
import { untilNothingIsOwed } from './rig/records.ts'

const kinds = ['mute', 'slow headers', 'slow body'] as const
type Kind = (typeof kinds)[number]

const clients = 1_000
const mostBytes = 50 * 1024 * 1024
const mostP99Ms = 100
const perSecond = 100
/** Promised: headers are cut after 20 s, bodies after 60 s. One second for this machine's own delay. */
const cutWithinMs: Record<Kind, number> = { mute: 21_000, 'slow headers': 21_000, 'slow body': 61_000 }

/** A thousand clients that say nothing, or a byte a second, beside others that sign up as usual. */
export function keepSlowClients(_form: Form): Promise<Outcome> {
  return inDrillFolder(async (folder) => {
    const mailbox = await openMailbox()
    const place = await findPlace(folder)
    const product = await startProduct(place, { environment: { SMTP_URL: mailbox.url } })
    const { pid, databaseFile, port } = product
    const warmUp = startLoad(place.url, { connections: 8, perSecond, most: perSecond * 10 })
    await warmUp.finished
    const before = await restingBytes(pid)

    const slow = await openSlowClients(port)
    const load = startLoad(place.url, { connections: 8, perSecond })
    await sleep(8_000)
    const during = await restingBytes(pid)
    const longestMs = await untilAllAreCut(slow)
    await load.stop()
    await sleep(2_000)
    const after = await restingBytes(pid)
    await untilNothingIsOwed(databaseFile, 60_000)
    await product.terminate()
    await mailbox.idle()
    mailbox.close()

    const acknowledged = new Set([...warmUp.acknowledged, ...load.acknowledged])
    const { counts, broken } = settleAccounts({ databaseFile, acknowledged, mails: mailbox.mails })
    const quietP99 = percentile(warmUp.latenciesMs, 0.99)
    const p99 = percentile(load.latenciesMs, 0.99)
    broken.push(...faultsOfCuts(longestMs))
    if (during - before > mostBytes) broken.push(`they cost ${inMegabytes(during - before)} MB`)
    if (p99 > mostP99Ms && quietP99 < mostP99Ms / 2)
      broken.push(`p99 of the others rose to ${p99.toFixed(0)} ms`)
    const notes = [
      `memory ${inMegabytes(before)} MB before, ${inMegabytes(during)} with ${clients} slow clients, ${inMegabytes(after)} after`,
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

interface SlowClient {
  kind: Kind
  /** How long it was let stay. */
  stayed: Promise<number>
}

async function openSlowClients(port: number): Promise<SlowClient[]> {
  return Promise.all(Array.from({ length: clients }, (_, index) => openOne(port, kinds[index % 3]!)))
}

async function openOne(port: number, kind: Kind): Promise<SlowClient> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const start = performance.now()
  socket.on('error', () => {}) // 'close' follows
  socket.resume()
  const stayed = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now() - start)),
  )
  trickle(socket, kind)
  return { kind, stayed }
}

function trickle(socket: Socket, kind: Kind): void {
  if (kind === 'mute') return
  const start = `POST ${signUpPath} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer starter-bot-development-key\r\n`
  const body = `${start}content-type: application/json\r\ncontent-length: 4000\r\n\r\n{`
  socket.write(kind === 'slow body' ? body : `${start}x-slow: `)
  const dripping = setInterval(() => socket.writable && socket.write('a'), 1_000)
  socket.once('close', () => clearInterval(dripping))
}

async function untilAllAreCut(slow: readonly SlowClient[]): Promise<Record<Kind, number>> {
  const longest: Record<Kind, number> = { mute: 0, 'slow headers': 0, 'slow body': 0 }
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
