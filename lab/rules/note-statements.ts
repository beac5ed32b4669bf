import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterAll } from 'vitest'
import { SqliteThread } from '#server/database/sqlite/thread-client.ts'

// Notes the statements of the product that each engine is sent, for every-statement.ts. Files that
// run in one process share the notes.
const folder = process.env['STATEMENTS_FOLDER']
const shared = globalThis as { notedStatements?: Record<'sqlite' | 'postgres', Set<string>> }
if (folder !== undefined) {
  const noted = (shared.notedStatements ??= startNoting())
  afterAll(() => {
    for (const [engine, texts] of Object.entries(noted)) {
      const lines = Array.from(texts, (text) => `${JSON.stringify(text)}\n`)
      appendFileSync(join(folder, engine), lines.join(''))
      texts.clear()
    }
  })
}

function startNoting() {
  const noted = { sqlite: new Set<string>(), postgres: new Set<string>() }
  const seen = new Set<string>()
  const note = (engine: keyof typeof noted, text: string) => {
    if (seen.has(text)) return
    seen.add(text)
    if (isSentByProduct()) noted[engine].add(text)
  }
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (text, ...more) {
    note('sqlite', text)
    return prepare.call(this, text, ...more)
  }
  const { ask } = SqliteThread.prototype
  SqliteThread.prototype.ask = function (request) {
    if ('text' in request) note('sqlite', request.text)
    return ask.call(this, request)
  }
  const { query } = Client.prototype
  Client.prototype.query = function (this: Client, ...words: [{ text: string }]) {
    const [first] = words
    if (typeof first.text === 'string') note('postgres', first.text)
    return Reflect.apply(query, this, words)
  } as typeof query // it has eight signatures
  return noted
}

const driver = /\/app\/server\/database\/(?:sqlite\/|postgres\.ts|open-database\.ts)/

/** By the driver's caller: tests and rigs send statements of their own. */
function isSentByProduct(): boolean {
  const frames = (new Error().stack ?? '').split('\n').filter((frame) => frame.includes('/'))
  const [first = '', ...more] = frames.filter((frame) => !frame.includes(import.meta.filename))
  const isThroughDriver = driver.test(first)
  const caller = more.find((frame) => !driver.test(frame) && !frame.includes('node_modules'))
  return isThroughDriver && /\/(?:app|owner)\/(?!.*\.test\.)/.test(caller ?? '')
}
