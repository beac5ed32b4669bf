import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import { median } from '#rigs/http/load.ts'
import { takeProductDesk } from '#rigs/owner/product-desk.ts'
import type { Product } from '#rigs/product.ts'
import { type Bench, connections, newSignUps, runLoad, startBenchProduct } from './rig/bench.ts'
import { fillList } from './fill-list.ts'
import { inMs, measured, type Row } from './rig/rounds.ts'
import { type Waits, waitsDuring } from './rig/waits.ts'

const signUpRounds = 5
const signUpsPerSecond = 50

interface Scale {
  people: number
  rounds: number
  /** The seconds that the owner works in each round. */
  seconds: number
  signUps: number
}

/**
 * A large list beside an empty one, on both engines: what the owner waits for, what visitors wait
 * longer while the owner works, and sign-ups a second.
 */
export async function benchList({ quick, folder, print }: Bench): Promise<Row[]> {
  const scale: Scale = quick
    ? { people: 2_000, rounds: 1, seconds: 1, signUps: 200 }
    : { people: 1_000_000, rounds: 3, seconds: 4, signUps: 4_000 }
  const inFolder = (name: string) => `file:${join(folder, name)}.db`
  const sqlite = { full: inFolder('full'), empty: inFolder('empty') }
  print(named('SQLite', await benchEngine(join(folder, 'sqlite'), sqlite, scale)))
  await fetchPostgresPrograms()
  await using server = await startPostgresServer()
  if (!server) return []
  const postgres = { full: await server.newDatabase(), empty: await server.newDatabase() }
  return named('PostgreSQL', await benchEngine(join(folder, 'postgres'), postgres, scale))
}

function named(engine: string, rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row, what: `${engine}: ${row.what}` }))
}

async function benchEngine(
  folder: string,
  urls: { full: string; empty: string },
  scale: Scale,
): Promise<Row[]> {
  await fillList(urls.full, scale.people)
  await using full = await startBenchProduct(`${folder}-full`, { DATABASE_URL: urls.full })
  await using empty = await startBenchProduct(`${folder}-empty`, { DATABASE_URL: urls.empty })
  const { desk, send } = await takeProductDesk(full)
  const one = `person${Math.floor(scale.people * 0.4321)}@`
  const picks = { who: 'everyone', days: '', campaign: '' } as const
  const work: Work = {
    Today: () => Promise.all([desk.today.state.query(), desk.today.figures.query({ days: 365 })]),
    People: () => desk.people.search.query({ ...picks, text: '', after: null }),
    'a search': () => desk.people.search.query({ ...picks, text: one, after: null }),
    Mail: () => Promise.all([desk.mail.show.query(), desk.mail.list.query({ state: 'sent' })]),
    Letters: () => desk.mailings.list.query(),
    'an export': async () => {
      const wish = { ...picks, text: '', tool: 'csv', consentedOnly: false }
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(wish)
      const answer = await send('/desk/api/export', { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(`The export was refused: ${answer.status}`)
      await answer.body?.pipeTo(new WritableStream()) // reads to the end, and keeps nothing
    },
  }
  return [
    ...(await benchOwner(work, scale)),
    ...(await benchVisitors(full, work, scale)),
    await benchSignUps(full, empty, scale),
  ]
}

/** Calls of the owner at the desk. */
type Work = Record<string, () => Promise<unknown>>

/** Measures how long each call takes. */
async function benchOwner(work: Work, { rounds }: Scale): Promise<Row[]> {
  const rows: Row[] = []
  for (const [what, call] of Object.entries(work)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now()
      await call()
      times.push(performance.now() - start)
    }
    const goal = what === 'an export' ? undefined : { max: 400 }
    rows.push(measured(`${what} answers the desk`, median(times), inMs, goal))
  }
  return rows
}

/** Measures what visitors wait longer while the owner does each of these over and over. */
async function benchVisitors(full: Product, work: Work, scale: Scale): Promise<Row[]> {
  const rows: Row[] = []
  for (const [what, call] of Object.entries(work)) {
    const longer: number[] = []
    for (let round = 0; round < scale.rounds; round += 1) {
      const quiet = await visitorsDuring(full, () => sleep(scale.seconds * 1000))
      const busy = await visitorsDuring(full, () => keepDoing(call, scale.seconds))
      longer.push(busy.longest - quiet.longest)
    }
    rows.push(
      measured(`${what}: longest wait of a visitor, above that without`, median(longer), inMs, {
        max: 30,
      }),
    )
  }
  return rows
}

async function keepDoing(call: () => Promise<unknown>, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) await call()
}

function visitorsDuring(product: Product, work: () => Promise<unknown>): Promise<Waits> {
  const next = () => newSignUps(product.url, 1)[0]!
  return waitsDuring(work, product, { connections: 8, perSecond: signUpsPerSecond, next })
}

async function benchSignUps(full: Product, empty: Product, scale: Scale): Promise<Row> {
  const perSecond = async (product: Product) =>
    (await runLoad(product.port, newSignUps(product.url, scale.signUps), connections)).perSecond
  const ratios: number[] = []
  for (let round = 0; round <= signUpRounds; round += 1) {
    const ratio = (await perSecond(full)) / (await perSecond(empty))
    if (round > 0) ratios.push(ratio) // the first warms up
  }
  const what = 'sign-ups a second beside none on the list'
  return measured(what, median(ratios), (share) => share.toFixed(2), { min: 0.9 })
}
