import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { generateLoad, percentile } from '#rigs/load.ts'
import { faultsOf, settle } from './rig/account.ts'
import type { Form, Outcome } from './rig/drill.ts'
import { startLoad } from './rig/load.ts'
import { onStage } from './rig/stage.ts'

const writesForMs = 5_000
const perSecond = 100
/** p99 of pages and /healthz. The short form only checks that nothing stalls. */
const maxMs = { short: 1_000, long: 100 }

/** Another process writes to the SQLite file for five seconds, as an owner's command may, while visitors come. */
export function writeMeanwhile(form: Form): Promise<Outcome> {
  return onStage(async (stage) => {
    const { url, port, databaseFile } = stage.place
    const product = await stage.start()
    const signUps = startLoad(url, { connections: 4, perSecond: 20 })
    const quiet = askFor(port, ['/', '/healthz'])
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await quiet.stop()

    const writer = fork(join(import.meta.dirname, 'rig/write-for-long.ts'), [
      databaseFile,
      String(writesForMs),
    ])
    await once(writer, 'message') // it holds the write lock
    const during = askFor(port, ['/', '/healthz'])
    await once(writer, 'exit')
    await during.stop()
    await signUps.stop()

    const { acknowledged, refused, unanswered } = signUps
    const { counts, broken } = await settle(stage, [product], { acknowledged })
    const [p99, quietP99] = [during, quiet].map(({ latenciesMs }) => percentile(latenciesMs, 0.99))
    const others = refused.filter(({ status }) => status !== 503).length + unanswered.length
    if (p99! > maxMs[form] && quietP99! < maxMs[form] / 2)
      broken.push(`p99 of pages and /healthz rose to ${p99!.toFixed(0)} ms`)
    broken.push(
      ...faultsOf(during.faults.length, 'pages were not answered with 200'),
      ...faultsOf(others, 'sign-ups were answered neither with 200 nor with 503'),
    )
    const notes = [
      `p99 of pages and /healthz ${p99!.toFixed(1)} ms during ${writesForMs / 1000} s of writing (before: ${quietP99!.toFixed(1)}), slowest ${Math.max(...during.latenciesMs).toFixed(0)} ms, of ${during.latenciesMs.length}`,
      `${acknowledged.size} sign-ups stored, ${refused.length} answered with 503`,
    ]
    return { counts, broken, notes }
  })
}

function askFor(port: number, paths: readonly string[]) {
  const requests = paths.map((path) => ({
    bytes: Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`),
  }))
  const latenciesMs: number[] = []
  const faults: number[] = []
  let asked = 0
  const { stop } = generateLoad({
    port,
    connections: 8,
    perSecond,
    next: () => requests[asked++ % requests.length],
    onAnswer(_request, answer, ms) {
      latenciesMs.push(ms)
      if (answer?.status !== 200) faults.push(answer?.status ?? 0)
    },
  })
  return { stop, latenciesMs, faults }
}
