import { parseEmailAddress } from '#contract/email-address.ts'
import type { Connection } from '#server/database/database.ts'
import { openLocalInbox } from '#server/transports/open-mailer.ts'
import { deliveriesOf } from '../deliveries/list-deliveries.ts'
import { eraseFromTheList } from '#server/subscribers/leave-the-list.ts'
import {
  findByIdentity,
  type ListedSubscriber,
  newestSubscribers,
  subscriberStates,
} from '#server/subscribers/list-subscribers.ts'
import { type Call, type Command, jsonOption, Misread, Refusal } from './command.ts'
import { exportSubscribers } from './export-subscribers.ts'
import { filterOptions, pageOptions, readFilter, readPage } from './list-options.ts'
import { withDatabase } from './owned-database.ts'
import { textTable, timeText } from './text-table.ts'

export const subscriberCommands: Command[] = [
  {
    name: 'subscribers list',
    takes: [],
    does: 'the newest subscribers, 50 unless told otherwise',
    options: { ...filterOptions, ...pageOptions, json: jsonOption },
    example: 'subscribers list --state active --since 2026-11-01',
    run: list,
  },
  {
    name: 'subscribers find',
    takes: ['ADDRESS'],
    does: 'one subscriber and the mail owed and sent',
    options: { json: jsonOption },
    example: 'subscribers find ada@example.com',
    run: find,
  },
  exportSubscribers,
  {
    name: 'subscribers erase',
    takes: ['ADDRESS'],
    does: 'takes every trace of an address out of the database and the local inbox',
    example: 'subscribers erase ada@example.com',
    run: eraseOne,
  },
]

async function list({ config, options, write, writeAside }: Call): Promise<void> {
  const filter = readFilter(options, subscriberStates)
  const { rows, hint } = await withDatabase(config, ({ query }) =>
    readPage(options, (limit, below) => newestSubscribers(query, filter, limit, below)),
  )
  if (options['json']) await write(`${JSON.stringify(rows, undefined, 2)}\n`)
  else await write(rows.length > 0 ? textTable(rows.map(asRow)) : 'No subscribers.\n')
  writeAside(hint)
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

async function eraseOne({ config, words, now, write }: Call): Promise<void> {
  const isProved = await withDatabase(config, async (database) => {
    const { id, address } = await findByAddress(database.query, words[0]!)
    // First, so that it can be done again where it fails.
    if (config.smtpUrl === undefined) await (await openLocalInbox(config)).erase(address.toLowerCase())
    return eraseFromTheList(database, [id], now())
  })
  const traces =
    'The last traces in the database files are still in use; the running server removes them within the hour.'
  await write(`Erased. ${isProved ? '' : `${traces} `}Backups made before still hold the address.\n`)
}

async function findByAddress(connection: Connection, typed: string): Promise<ListedSubscriber> {
  const address = parseEmailAddress(typed)
  if (!address) throw new Misread(`"${typed}" is no email address.`)
  const found = await findByIdentity(connection, address.identity)
  if (!found) throw new Refusal(`${address.address} is not on the list.`)
  return found
}

function asRow({ address, state, signed_up_at, last_mailed_at }: ListedSubscriber) {
  return { address, state, 'signed up': timeText(signed_up_at), 'last mail': timeText(last_mailed_at) }
}
