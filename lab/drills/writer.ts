import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateLoad, percentile } from '#rigs/load.ts'
import { startLoad, wrongAnswers } from './rig/load.ts'
import { type Form, onStage } from './rig/stage.ts'

const writesForMs = 5_000
/** p99 of pages and /healthz. The short form only checks that nothing stalls. */
const maxMs = { short: 1_000, long: 100 }

/** Another process writes to the SQLite file for five seconds, as an owner's command may, while visitors come. */
export function writeMeanwhile(form: Form) {
  return onStage(async (stage) => {
    const { url, port, databaseFile } = stage.place
    const product = await stage.start()
    const signUps = startLoad(url, { connections: 4, perSecond: 20 })
    const quiet = visitPages(port)
    await sleep(1_000)
    await quiet.stop()

    const program = join(import.meta.dirname, 'rig/write-for-long.ts')
    const writer = fork(program, [databaseFile, String(writesForMs)])
    await once(writer, 'message') // it holds the write lock
    const during = visitPages(port)
    await once(writer, 'exit')
    await during.stop()
    await signUps.stop()

    const { acknowledged, refused, unanswered } = signUps
    await stage.settle([product], { acknowledged })
    const [p99, quietP99] = [percentile(during.latenciesMs, 0.99), percentile(quiet.latenciesMs, 0.99)]
    const isSlow = p99 > maxMs[form] && quietP99 < maxMs[form] / 2
    stage.expect(!isSlow, `p99 of pages and /healthz rose to ${p99.toFixed(0)} ms`)
    stage.expectNone(during.failed(), 'pages were not answered with 200')
    stage.expectNone(wrongAnswers([signUps]) + unanswered.length, 'sign-ups got neither 200 nor 503')
    stage.note(
      `p99 of pages and /healthz ${p99.toFixed(1)} ms during ${writesForMs / 1000} s of writing (before: ${quietP99.toFixed(1)}), slowest ${Math.max(...during.latenciesMs).toFixed(0)} ms, of ${during.latenciesMs.length}`,
    )
    stage.note(`${acknowledged.size} sign-ups stored, ${refused.length} answered with 503`)
  })
}

function visitPages(port: number) {
  const requests = ['/', '/healthz'].map((path) => ({
    bytes: Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`),
  }))
  const latenciesMs: number[] = []
  let [asked, failed] = [0, 0]
  const { stop } = generateLoad({
    port,
    connections: 8,
    perSecond: 100,
    next: () => requests[asked++ % requests.length],
    onAnswer(_request, answer, ms) {
      latenciesMs.push(ms)
      if (answer?.status !== 200) failed += 1
    },
  })
  return { stop, latenciesMs, failed: () => failed }
}
