import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { root } from '#rigs/product.ts'
import { type Bench, newSignUps, runLoad, startBenchProduct, startChild } from '../../bench.ts'
import type { PartReport } from '../../report.ts'
import { compare, medianOf, memoryGrowth, perSecond, takeRounds } from '../../rounds.ts'
import type { Batch } from './nodemailer-alone.ts'
import { type Sink, startSink } from './smtp-sink.ts'

const concurrency = 4 // MAIL_CONCURRENCY's default

/** Compares how fast queued mail is delivered with nodemailer's pool alone. */
export async function benchDelivery({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [count, rounds] = quick ? [500, 1] : [10_000, 5]
  const queued = join(folder, 'queued')
  const pending = await queueMails(queued, count)
  progress(`${pending} mails are pending`)
  await using sink = await startSink()
  const runs = {
    ours: () => drain(sink, queued, pending),
    usual: () => sendAlone(sink, pending, false),
    finished: () => sendAlone(sink, pending, true),
  }
  const { ours, usual, finished } = await takeRounds(rounds, runs, progress)
  const what = `${pending.toLocaleString('en')} mails`
  return {
    title: 'Delivery',
    notes: [
      `${what} pending in SQLite; the server starts and sends them to an SMTP peer in the process of the bench, which accepts everything, over ${concurrency} connections. Timed at the peer, from the first MAIL to the last 250; it checks that nobody got two.`,
      'Against: nodemailer’s pool alone in a fresh process, with as many connections, nothing recorded: given texts and headers that were filled in before, as it is mostly used; and given the bytes of finished mails, which is all that ours leaves to it.',
    ],
    rows: [
      compare(what, ours, ['nodemailer', usual], perSecond, { min: 0.8 }),
      compare(what, ours, ['finished ones', finished], perSecond, { min: 0.5 }),
      memoryGrowth(
        ['after the last mail', medianOf(ours, (one) => one.lateMb)],
        ['after a fifth', medianOf(ours, (one) => one.earlyMb)],
      ),
    ],
  }
}

/** Signs up `count` people while the ceiling is one mail an hour and the relay is down. Returns how many mails are pending. */
async function queueMails(folder: string, count: number): Promise<number> {
  const product = await startBenchProduct(folder, { LIMIT_SITE_MAILS_PER_HOUR: '1' })
  await runLoad(product.port, newSignUps(product.url, count + 1))
  await product.terminate()
  using database = new DatabaseSync(join(folder, 'starter-bot.db'))
  // The attempted mail is not due for a minute; the others are due now.
  database.exec(`delete from deliveries where failures > 0`)
  return Number(database.prepare(`select count(*) as pending from deliveries`).get()?.['pending'])
}

async function drain(sink: Sink, queued: string, pending: number) {
  const folder = `${queued}-copy`
  cpSync(queued, folder, { recursive: true })
  sink.reset()
  const product = await startBenchProduct(folder, { SMTP_URL: sink.url, LIMIT_SITE_MAILS_PER_HOUR: 'off' })
  await sink.arrival(Math.floor(pending / 5))
  const earlyMb = product.residentMb()
  const { seconds, mails, recipients } = await sink.arrival(pending)
  const lateMb = product.residentMb()
  await product.terminate()
  rmSync(folder, { recursive: true })
  if (mails !== pending || recipients !== pending)
    throw new Error(`${pending} pending, ${mails} sent to ${recipients}`)
  return { perSecond: pending / seconds, earlyMb, lateMb }
}

async function sendAlone(sink: Sink, count: number, finished: boolean) {
  sink.reset()
  const { subject, html, text } = JSON.parse(
    readFileSync(join(root, 'dist/email/starter-email.json'), 'utf8'),
  )
  const [from, publicUrl] = ['starter@localhost', 'http://localhost:3000']
  const template = { subject, html, text, from, replyTo: from, publicUrl }
  const batch: Batch = { url: sink.url, concurrency, count, finished, template }
  await using sender = await startChild(join(import.meta.dirname, 'nodemailer-alone.ts'), batch)
  const { seconds, mails } = await sink.arrival(count)
  if (mails !== sender.answer) throw new Error(`${sender.answer} sent, ${mails} arrived`)
  return { perSecond: count / seconds, earlyMb: 0, lateMb: 0 }
}
