import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { runOnPostgres } from '#rigs/database/postgres-server.ts'
import { listenHere } from '#rigs/listening.ts'
import { type Form, needPostgres, onStage, type Outcome, seconds, type Stage } from './rig/stage.ts'

const loadMs = { short: 1_000, long: 10_000 }
/** The time to notice that the primary is dead, and to decide. */
const awayMs = { short: 2_000, long: 10_000 }
const backWithinMs = 10_000
const instances = 3
const mailsInFlight = 4 // MAIL_CONCURRENCY

/**
 * Three instances on a PostgreSQL with a standby, behind one address that moves, as a managed database has. One instance is
 * killed, then the primary. The standby is promoted, and the address leads to it. A synchronous standby loses nothing; what
 * an asynchronous one loses is counted.
 */
export async function failOver(form: Form): Promise<Outcome[]> {
  const synchronous = await onStage((stage) => killPrimary(stage, form, true), 'synchronous: ')
  return [synchronous, await onStage((stage) => killPrimary(stage, form, false), 'asynchronous: ')]
}

async function killPrimary(stage: Stage, form: Form, synchronous: boolean): Promise<void> {
  await using postgres = await needPostgres()
  await runOnPostgres(postgres.url, 'create database site')
  await using standby = await postgres.addStandby({ synchronous })
  await using endpoint = await openEndpoint(postgres.socket)
  const database = `postgres://starter@127.0.0.1:${endpoint.port}/site`
  const sites = await stage.sites(instances, database)
  const products = await Promise.all(sites.map((site) => site.start()))
  const crowds = products.map(({ url }) => stage.crowd({ connections: 8, perSecond: 100 }, url))
  await sleep(loadMs[form])
  const [dead, ...living] = products
  await dead?.kill()
  await postgres.crash()
  await sleep(awayMs[form])
  await standby.promote()
  endpoint.moveTo(standby.socket)

  const movedAt = performance.now()
  await Promise.all(crowds.slice(1).map((crowd) => crowd.progress(1)))
  const backMs = performance.now() - movedAt
  await sleep(loadMs[form])
  await stage.settle(living, {
    database,
    interrupted: () => mailsInFlight * instances,
    mayLoseRows: !synchronous,
  })
  const back = `${seconds(backMs)} after the address moved`
  stage.expect(backMs <= backWithinMs, `sign-ups were stored again only ${back}`)
  const { acknowledged, lost, duplicates } = stage.counts ?? {}
  stage.note(
    `${synchronous ? 'synchronous' : 'asynchronous'} standby: ${acknowledged} acknowledged, ${lost} lost, ${duplicates} duplicates; back ${back}`,
  )
}

/** An address of the database that can lead to another server. Connections to the one before break. */
async function openEndpoint(socketPath: string) {
  let target = socketPath
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket)
      socket.on('error', () => {}) // 'close' follows
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const port = await listenHere(server)
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port,
    moveTo(path: string) {
      target = path
      cut()
    },
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
