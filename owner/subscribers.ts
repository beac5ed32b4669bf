import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Connection } from '#server/database/json-rows.ts'
import { deliveriesOf } from '#server/outbox/list-deliveries.ts'
import { eraseFromTheList } from '#server/subscribers/leave-the-list.ts'
import {
  findByIdentity,
  type ListedSubscriber,
  newestSubscribers,
  pagesOfSubscribers,
  subscriberStates,
} from '#server/subscribers/list-subscribers.ts'
import { type Call, type Command, Refusal } from './command.ts'
import { csvLine } from './csv.ts'
import { withDatabase } from './owned-database.ts'
import { oneOf, wholeNumber } from './read-words.ts'
import { textTable, timeText } from './text-table.ts'

export const subscriberCommands: Command[] = [
  {
    name: 'subscribers list',
    takes: [],
    does: 'the newest subscribers, 50 unless told otherwise',
    options: { state: { value: 'STATE' }, limit: { value: 'N' }, json: 'boolean' },
    run: list,
  },
  {
    name: 'subscribers find',
    takes: ['ADDRESS'],
    does: 'one subscriber and the mail owed and sent',
    options: { json: 'boolean' },
    run: find,
  },
  {
    name: 'subscribers export',
    takes: ['[FILE]'],
    does: 'all subscribers as CSV that a spreadsheet opens safely, into a new FILE or printed',
    run: exportAll,
  },
  {
    name: 'subscribers erase',
    takes: ['ADDRESS'],
    does: 'takes every trace of an address out of the database',
    run: eraseOne,
  },
]

async function list({ config, options, write }: Call): Promise<void> {
  const state = oneOf(options['state'], '--state', subscriberStates)
  const limit = wholeNumber(String(options['limit'] ?? 50), '--limit')
  const found = await withDatabase(config, ({ query }) => newestSubscribers(query, limit, state))
  if (options['json']) return write(`${JSON.stringify(found, undefined, 2)}\n`)
  await write(found.length === 0 ? 'No subscribers.\n' : textTable(found.map(asRow)))
}

async function find({ config, words, options, write }: Call): Promise<void> {
  await withDatabase(config, async ({ query }) => {
    const subscriber = await findByAddress(query, words[0]!)
    const deliveries = await deliveriesOf(query, subscriber.id)
    if (options['json']) return write(`${JSON.stringify({ subscriber, deliveries }, undefined, 2)}\n`)
    const rows = deliveries.map(({ id, state, queued_at, finished_at, last_fault }) => {
      return {
        delivery: id,
        state,
        queued: timeText(queued_at),
        ended: timeText(finished_at),
        fault: last_fault ?? '',
      }
    })
    await write(textTable([asRow(subscriber)]))
    await write(rows.length === 0 ? 'No deliveries.\n' : `\n${textTable(rows)}`)
  })
}

async function exportAll({ config, words: [file], write, writeAside }: Call): Promise<void> {
  await withDatabase(config, async ({ query }) => {
    const out = file === undefined ? undefined : createWriteStream(file, { flags: 'wx', mode: 0o600 })
    if (out) await once(out, 'open')
    const put = async (text: string) => {
      if (!out) await write(text)
      else if (!out.write(text)) await once(out, 'drain')
    }
    let count = 0
    await put(csvLine(['address', 'state', 'signed_up_at', 'last_mailed_at', 'opened_at']))
    for await (const page of pagesOfSubscribers(query)) {
      await put(page.map(asCsv).join(''))
      count += page.length
    }
    if (!out) return
    out.end()
    await once(out, 'finish')
    writeAside(`${count} subscribers written to ${file}\n`)
  })
}

async function eraseOne({ config, words, write }: Call): Promise<void> {
  await withDatabase(config, async (database) => {
    const { id } = await findByAddress(database.query, words[0]!)
    await eraseFromTheList(database, [id])
  })
  await write('Erased. Backups made before still hold the address.\n')
}

async function findByAddress(connection: Connection, typed: string): Promise<ListedSubscriber> {
  const address = parseEmailAddress(typed)
  if (!address) throw new Refusal(`"${typed}" is no email address.`)
  const found = await findByIdentity(connection, address.identity)
  if (!found) throw new Refusal(`${address.address} is not on the list.`)
  return found
}

function asRow({ address, state, signed_up_at, last_mailed_at }: ListedSubscriber) {
  return { address, state, 'signed up': timeText(signed_up_at), 'last mail': timeText(last_mailed_at) }
}

function asCsv({ address, state, signed_up_at, last_mailed_at, opened_at }: ListedSubscriber): string {
  const times = [signed_up_at, last_mailed_at, opened_at]
  return csvLine([address, state, ...times.map((ms) => (ms === null ? '' : new Date(ms).toISOString()))])
}
