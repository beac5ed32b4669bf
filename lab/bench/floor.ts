// The floor: Node's own HTTP server and SQLite, and nothing but a grouped durable insert. With a
// relay it also sends each address its mail, on the same thread, as any program must that does not
// lose one: a mail that waits is marked in its row. Run as a program it serves.
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createTransport } from 'nodemailer'
import { distFolder } from '#build/inputs.ts'
import { listenHere } from '#rigs/listening.ts'
import { startChild } from './rig/bench.ts'

interface Floor {
  file: string
  /** smtp://… Left out: no mail is sent. */
  relayUrl?: string
}

/** The sender of its mails. */
export const floorSender = 'floor@example.com'

export function startFloor(floor: Floor) {
  return startChild(import.meta.filename, floor)
}

const answer = Buffer.from(JSON.stringify({ success: true, alreadyExists: false }))
const headers = { 'content-type': 'application/json', 'content-length': answer.length }
/** MAIL_CONCURRENCY's default. */
const mailsAtOnce = 4

if (process.argv[1] === import.meta.filename) {
  const { file, relayUrl }: Floor = JSON.parse(process.argv[2] ?? '')
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec(
    relayUrl === undefined
      ? 'create table addresses (email text primary key) strict'
      : `create table addresses (id integer primary key, email text unique not null,
           is_waiting integer not null default 1) strict;
         create index waiting on addresses (id) where is_waiting`,
  )
  const sendWaiting = relayUrl === undefined ? () => {} : sender(database, relayUrl)
  const port = await serve(database, sendWaiting)
  process.once('disconnect', () => process.exit())
  process.send?.(port)
}

/** `committed`: called after each group. */
function serve(database: DatabaseSync, committed: () => void): Promise<number> {
  const insert = database.prepare('insert into addresses (email) values (?) on conflict do nothing')
  let waiting: { email: string; response: ServerResponse }[] = []

  /** Groups as long as each turn of the event loop brings more. */
  function gather(before: number) {
    setImmediate(() => (waiting.length > before ? gather(waiting.length) : commit()))
  }

  function commit() {
    const group = waiting
    waiting = []
    database.exec('begin')
    for (const { email } of group) insert.run(email)
    database.exec('commit')
    for (const { response } of group) response.writeHead(200, headers).end(answer)
    committed()
  }

  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { email }: { email: string } = JSON.parse(body)
      if (waiting.push({ email, response }) === 1) gather(0)
    })
  })
  return listenHere(server)
}

/** Returns what sends the mails that wait: those of the product, as many at once. */
function sender(database: DatabaseSync, relayUrl: string): () => void {
  const next = database.prepare(
    'select id, email from addresses where is_waiting and id > ? order by id limit 1',
  )
  const sent = database.prepare('update addresses set is_waiting = 0 where id = ?')
  const relay = createTransport({ url: relayUrl, pool: true, maxConnections: mailsAtOnce })
  const { subject, html, text } = JSON.parse(
    readFileSync(join(distFolder, 'site/bundle.json'), 'utf8'),
  ).mails.starter
  let last = 0
  let sending = 0

  async function send() {
    sending += 1
    for (let row = next.get(last); row; row = next.get(last)) {
      const id = Number(row['id'])
      last = id // the others take what comes after it
      const to = { name: '', address: String(row['email']) }
      await relay.sendMail({ from: floorSender, to, subject, html, text })
      sent.run(id)
    }
    sending -= 1
  }

  return () => {
    for (let free = mailsAtOnce - sending; free > 0; free -= 1) void send()
  }
}
