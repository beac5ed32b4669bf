import { root } from '#rigs/product.ts'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import { type Bench, startBenchProduct } from '../../bench.ts'
import { type Child, startChild } from '../../child.ts'
import { signUpRequests, startLoadGenerator } from '../../load.ts'
import type { PartReport } from '../../report.ts'
import { compare, medianOf, perSecond, takeRounds } from '../../rounds.ts'
import type { Batch } from './nodemailer-alone.ts'
import type { SinkAnswer } from './smtp-sink.ts'

interface Drain {
  perSecond: number
  earlyMb: number
  lateMb: number
}

const concurrency = 4 // MAIL_CONCURRENCY's default

/** Compares how fast queued mail is delivered with nodemailer's pool alone. */
export async function benchDelivery({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [count, rounds] = quick ? [500, 1] : [10_000, 5]
  const queued = join(folder, 'queued')
  const owed = await queueMails(queued, count)
  progress(`${owed} mails are owed`)
  await using sink = startChild(join(import.meta.dirname, 'smtp-sink.ts'))
  const { port } = await sink.ask<SinkAnswer>({})
  const url = `smtp://127.0.0.1:${port}`
  const runs = {
    ours: () => drain(sink, url, queued, owed),
    usual: () => sendAlone(sink, url, owed, false),
    finished: () => sendAlone(sink, url, owed, true),
  }
  return report(await takeRounds(rounds, runs, progress), owed)
}

/** Signs up `count` people while the ceiling is one mail an hour and the relay is down. Returns how many mails are owed. */
async function queueMails(folder: string, count: number): Promise<number> {
  const product = await startBenchProduct(folder, { LIMIT_SITE_MAILS_PER_HOUR: '1' })
  await using load = startLoadGenerator()
  const request = signUpRequests(product.url)
  await load.run({ port: product.port, connections: 64, request, first: 1, count: count + 1 })
  await product.terminate()
  using database = new DatabaseSync(join(folder, 'starter-bot.db'))
  // The attempted mail is not due for a minute; the others are due now.
  database.exec(`delete from deliveries where failures > 0`)
  const { owed } =
    database.prepare(`select count(*) as owed from deliveries where state = 'queued'`).get() ?? {}
  return Number(owed)
}

async function drain(sink: Child, url: string, queued: string, owed: number): Promise<Drain> {
  const folder = `${queued}-copy`
  cpSync(queued, folder, { recursive: true })
  await sink.ask<SinkAnswer>({ reset: true })
  const product = await startBenchProduct(folder, { SMTP_URL: url, LIMIT_SITE_MAILS_PER_HOUR: 'off' })
  await sink.ask<SinkAnswer>({ until: Math.floor(owed / 5) })
  const earlyMb = product.residentMb()
  const { seconds, mails, recipients } = await sink.ask<SinkAnswer>({ until: owed })
  const lateMb = product.residentMb()
  await product.terminate()
  rmSync(folder, { recursive: true })
  if (mails !== owed || recipients !== owed) throw new Error(`${owed} owed, ${mails} sent to ${recipients}`)
  return { perSecond: owed / seconds, earlyMb, lateMb }
}

async function sendAlone(sink: Child, url: string, count: number, finished: boolean): Promise<Drain> {
  await sink.ask<SinkAnswer>({ reset: true })
  await using sender = startChild(join(import.meta.dirname, 'nodemailer-alone.ts'))
  await sender.ask({ url, concurrency, count, finished, template: readTemplate() } satisfies Batch)
  const { seconds } = await sink.ask<SinkAnswer>({ until: count })
  return { perSecond: count / seconds, earlyMb: 0, lateMb: 0 }
}

function readTemplate(): StarterEmailTemplate {
  const built = JSON.parse(readFileSync(join(root, 'dist/email/starter-email.json'), 'utf8'))
  const { subject, html, text } = built
  const address = 'starter@localhost'
  return { subject, html, text, from: address, replyTo: address, publicUrl: 'http://localhost:3000' }
}

type Results = Record<'ours' | 'usual' | 'finished', Drain[]>

function report({ ours, usual, finished }: Results, owed: number): PartReport {
  const what = `${owed.toLocaleString('en')} mails`
  const megabytes = (figure: (one: Drain) => number) => `${medianOf(ours, figure).toFixed(0)} MB`
  return {
    title: 'Delivery',
    notes: [
      `${owed.toLocaleString('en')} mails owed in SQLite; the server starts and sends them to an SMTP peer in a separate process that accepts everything, over ${concurrency} connections. Timed at the peer, from the first MAIL to the last 250; it checks that nobody got two.`,
      'Against: nodemailer’s pool alone in a fresh process, with as many connections, nothing recorded: given texts and headers that were filled in before, as it is mostly used; and given the bytes of finished mails, which is all that ours leaves to it.',
    ],
    rows: [
      compare(what, ours, ['nodemailer', usual], perSecond, { least: 0.8 }),
      compare(what, ours, ['finished ones', finished], perSecond, { least: 0.5 }),
      {
        what: 'memory after the last mail',
        ours: megabytes((one) => one.lateMb),
        other: `after a fifth: ${megabytes((one) => one.earlyMb)}`,
        ratio: medianOf(ours, (one) => one.lateMb / one.earlyMb),
        goal: { most: 1.25 },
      },
    ],
  }
}
