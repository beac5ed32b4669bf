import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import { faultsIn } from '#lab/drills/series/check-three-weeks.ts'
import { deliverOnce, type HandedOver, liveThreeWeeks } from '#lab/drills/series/three-weeks.ts'
import { type Form, leftOut, type Outcome } from '../rig/stage.ts'

const people = { short: 100, long: 1_000 }
const everyHours = 24
const shownFaults = 20
/** Some of the kills come while the day's mail is queued, the others while it is sent. */
const shareWhileQueueing = 0.3
const queueingMs = 100
const mostMailsBefore = 8

// The process that is killed: it delivers what is due at a moment of the simulated weeks.
if (process.argv[1] === import.meta.filename) {
  const [url = '', now = ''] = process.argv.slice(2)
  await deliverOnce(url, Number(now), (mail) => {
    return new Promise((resolve) => process.send?.(mail, () => resolve()))
  })
  process.disconnect?.()
}

/**
 * Three weeks of the series on both engines, with people who join, agree, refuse, leave, are
 * imported and erased. The process that delivers is killed each day, and a backup is restored in
 * the second week.
 */
export async function liveWithTheSeries(form: Form): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-series-'))
  try {
    const outcomes = [await liveOn(`file:${join(folder, 'series.db')}`, 'SQLite', folder, form)]
    await using postgres = await startPostgresServer()
    if (!postgres) return [...outcomes, leftOut('PostgreSQL')]
    outcomes.push(await liveOn(await postgres.newDatabase(), 'PostgreSQL', folder, form))
    return outcomes
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function liveOn(url: string, engine: string, folder: string, form: Form): Promise<Outcome> {
  let kills = 0
  const die = async (now: number) => {
    const { mails, isKilled } = await deliverUntilKilled(url, now)
    if (isKilled) kills += 1
    return mails
  }
  const weeks = await liveThreeWeeks({
    url,
    folder: mkdtempSync(join(folder, 'backup-')),
    people: people[form],
    everyHours,
    die,
  })
  const letters = weeks.mails.filter(({ subject }) => weeks.letters.has(subject)).length
  const ids = new Set(weeks.mails.map(({ messageId }) => messageId))
  return {
    broken: faultsIn(weeks, everyHours * 60 * 60_000).slice(0, shownFaults),
    notes: [
      `${engine}: ${people[form]} people, ${kills} kills at work, ${letters} letters of the series handed over, ${weeks.mails.length - ids.size} copies with the same Message-ID`,
    ],
  }
}

async function deliverUntilKilled(url: string, now: number) {
  const worker = fork(import.meta.filename, [url, String(now)])
  const mails: HandedOver[] = []
  const killAfter = Math.floor(Math.random() * mostMailsBefore)
  worker.on('message', (mail: HandedOver) => {
    mails.push(mail)
    if (mails.length > killAfter) worker.kill('SIGKILL')
  })
  const isOver = Promise.all([once(worker, 'exit'), once(worker, 'disconnect')])
  if (Math.random() < shareWhileQueueing) {
    await once(worker, 'spawn')
    await Promise.race([isOver, sleep(queueingMs + Math.random() * 1000)])
    worker.kill('SIGKILL')
  }
  await isOver
  return { mails, isKilled: worker.signalCode === 'SIGKILL' }
}
