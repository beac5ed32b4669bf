import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateLoad } from '#rigs/load.ts'
import { type Form, onStage } from './rig/stage.ts'

const writesForMs = 5_000
/** p99 of pages and /healthz. The short form only checks that nothing stalls. */
const maxMs = { short: 1_000, long: 100 }

/** Another process writes to the SQLite file for five seconds in one transaction, as an owner's command may. */
export function writeMeanwhile(form: Form) {
  return onStage(async (stage) => {
    const { port, databaseFile } = stage.place
    const product = await stage.start()
    const { acknowledged, refused, unanswered } = stage.crowd({ connections: 4, perSecond: 20 })
    const quiet = visitPages(port)
    await sleep(1_000)
    await quiet.stop()

    // The drill is that other process: until the commit nobody else can write.
    const writer = new DatabaseSync(databaseFile, { timeout: 5_000 })
    writer.exec(`begin immediate; insert into settings (name, value) values ('drill', 'writes')`)
    const during = visitPages(port)
    await sleep(writesForMs)
    writer.exec(`delete from settings where name = 'drill'; commit`)
    writer.close()
    await during.stop()

    await stage.settle([product])
    const [p99, quietP99] = [during.p99(), quiet.p99()]
    const isSlow = p99 > maxMs[form] && quietP99 < maxMs[form] / 2
    stage.expect(!isSlow, `p99 of pages and /healthz rose to ${p99.toFixed(0)} ms`)
    stage.expectNone(during.failed(), 'pages were not answered with 200')
    stage.expectNone(unanswered.length, 'sign-ups got no answer')
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
  let asked = 0
  return generateLoad({
    port,
    connections: 8,
    perSecond: 100,
    next: () => requests[asked++ % requests.length],
  })
}
