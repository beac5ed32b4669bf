// The floor: Node's own HTTP server and SQLite, and nothing but a grouped durable insert. This file
// is also the program that serves.
import { createServer, type ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { listenHere } from '#rigs/listening.ts'
import { startChild } from './rig/bench.ts'

export function startFloor(file: string) {
  return startChild(import.meta.filename, { file })
}

const answer = Buffer.from(JSON.stringify({ success: true, alreadyExists: false }))
const headers = { 'content-type': 'application/json', 'content-length': answer.length }

if (process.argv[1] === import.meta.filename) {
  const { file }: { file: string } = JSON.parse(process.argv[2] ?? '')
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table addresses (email text primary key) strict')
  const port = await serve(database)
  process.once('disconnect', () => process.exit())
  process.send?.(port)
}

function serve(database: DatabaseSync): Promise<number> {
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
