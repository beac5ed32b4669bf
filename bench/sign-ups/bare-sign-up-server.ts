// The floor: Node's own HTTP server and SQLite, and nothing but a grouped durable insert of the address.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { answerParent } from '../child.ts'

const answer = Buffer.from(JSON.stringify({ success: true, alreadyExists: false }))
const headers = { 'content-type': 'application/json', 'content-length': answer.length }

answerParent(async ({ file }: { file: string }) => ({ port: await serve(file) }))

function serve(file: string): Promise<number> {
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists addresses (email text primary key) strict`)
  const insert = database.prepare('insert into addresses (email) values (?) on conflict do nothing')
  let waiting: { email: string; response: ServerResponse }[] = []

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
      if (waiting.push({ email, response }) === 1) setImmediate(commit)
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)) // a string only for a pipe
  })
}
