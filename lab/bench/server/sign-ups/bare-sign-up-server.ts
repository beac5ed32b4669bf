// The floor: Node's own HTTP server and SQLite, and nothing but a grouped durable insert. Run as a program it serves.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listenHere } from '#rigs/listening.ts'
import { root } from '#rigs/product.ts'
import { startChild } from '../../bench.ts'

/** `address`: the address alone, in a table of one column. `sign-up`: the rows that our server writes, in our tables. */
type Stored = 'address' | 'sign-up'

export function startBareServer(file: string, stores: Stored) {
  return startChild(import.meta.filename, { file, stores })
}

const answer = Buffer.from(JSON.stringify({ success: true, alreadyExists: false }))
const headers = { 'content-type': 'application/json', 'content-length': answer.length }

if (import.meta.main) {
  const { file, stores }: { file: string; stores: Stored } = JSON.parse(process.argv[2] ?? '')
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  const port = await serve(database, stores === 'address' ? addressInto(database) : signUpInto(database))
  process.once('disconnect', () => process.exit())
  process.send?.(port)
}

function addressInto(database: DatabaseSync): (emails: string[]) => void {
  database.exec('create table addresses (email text primary key) strict')
  const insert = database.prepare('insert into addresses (email) values (?) on conflict do nothing')
  return (emails) => {
    for (const email of emails) insert.run(email)
  }
}

function signUpInto(database: DatabaseSync): (emails: string[]) => void {
  database.exec(readFileSync(join(root, 'app/server/database/migrations/0001-first/sqlite.sql'), 'utf8'))
  const template = 'x'.repeat(43)
  database.prepare('insert into mail_templates (hash, content) values (?, ?)').run(template, '')
  const addSubscribers = database.prepare(
    `insert into subscribers (identity, address, state, signed_up_at, last_mailed_at)
    select value, value, 'active', ?, ? from json_each(?) where true on conflict do nothing returning id`,
  )
  const queue = database.prepare(
    `insert into deliveries (subscriber, message_id, template, state, due_at, queued_at)
    select value ->> 0, value ->> 1, ?, 'queued', ?, ? from jsonb_each(?)`,
  )
  return (emails) => {
    const now = Date.now()
    const added = addSubscribers.all(now, now, JSON.stringify(emails))
    const queued = added.map(({ id }) => [id, `<${randomUUID()}@localhost>`])
    queue.run(template, now, now, JSON.stringify(queued))
  }
}

function serve(database: DatabaseSync, store: (emails: string[]) => void): Promise<number> {
  let waiting: { email: string; response: ServerResponse }[] = []

  /** Groups like ours: as long as each turn of the event loop brings more. */
  function gather(before: number) {
    setImmediate(() => (waiting.length > before ? gather(waiting.length) : commit()))
  }

  function commit() {
    const group = waiting
    waiting = []
    database.exec('begin')
    store(group.map(({ email }) => email))
    database.exec('commit')
    for (const { response } of group) response.writeHead(200, headers).end(answer)
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
