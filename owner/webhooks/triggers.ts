import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/database/database.ts'

interface Trigger {
  after: string
  when: string
  statements: string
}

const dialects = {
  sqlite: {
    randomId: 'lower(hex(randomblob(16)))',
    nowMs: "cast(unixepoch('subsec') * 1000 as integer)",
    find: sql<{
      name: string
    }>`select name from sqlite_schema where type = 'trigger' and name like 'webhook_%'`,
    begin: 'begin immediate;',
    create: (name: string, { after, when, statements }: Trigger) =>
      `create trigger ${name} after ${after} on subscribers when ${when} begin ${statements} end;`,
    drop: (name: string) => `drop trigger if exists ${name};`,
  },
  postgres: {
    randomId: "replace(gen_random_uuid()::text, '-', '')",
    nowMs: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
    find: sql<{ name: string }>`
      select tgname as name from pg_trigger where tgrelid = 'subscribers'::regclass and tgname like 'webhook_%'`,
    // Instances that start together take turns.
    begin: 'begin; select pg_advisory_xact_lock(20261122);',
    create: (name: string, { after, when, statements }: Trigger) =>
      `create or replace function ${name}() returns trigger language plpgsql as
         $$ begin ${statements} return null; end $$;
       create trigger ${name} after ${after} on subscribers for each row when (${when}) execute function ${name}();`,
    drop: (name: string) => `drop function if exists ${name}() cascade;`,
  },
}

/** Makes the database write an event in every transaction that changes a subscriber, of whichever process. */
export async function createTriggers(database: Database): Promise<void> {
  const { begin, create, drop } = dialects[database.engine]
  const wanted = triggersOf(database)
  const found = await findTriggers(database)
  if (found.length === wanted.size && found.every((name) => wanted.has(name))) return
  const scripts = [...found.map(drop), ...[...wanted].map(([name, one]) => drop(name) + create(name, one))]
  await database.runScript(`${begin} ${scripts.join('\n')} commit`)
}

/** Without them no change of a subscriber takes any longer. */
export async function dropTriggers(database: Database): Promise<void> {
  const { begin, drop } = dialects[database.engine]
  const found = await findTriggers(database)
  if (found.length > 0) await database.runScript(`${begin} ${found.map(drop).join('\n')} commit`)
}

async function findTriggers({ engine, query }: Database): Promise<string[]> {
  const { rows } = await dialects[engine].find.execute(query)
  return rows.map(({ name }) => name)
}

/** By name. The name is made from the definition, so a changed one replaces the old. */
function triggersOf({ engine }: Database): Map<string, Trigger> {
  const { randomId, nowMs } = dialects[engine]
  const write = (type: string, row: 'old' | 'new', tells: string, where = 'true') =>
    `insert into webhook_events (message_id, type, subscriber, tells, occurred_at)
     select 'msg_' || ${randomId}, 'subscriber.${type}', ${row}.id, ${tells}, ${nowMs} where ${where};`
  const consent = 'announcements_agreed_at'
  const tellsOf = (row: 'old' | 'new', isOther = 'false') =>
    `case when ${row}.${consent} is null or ${isOther} then 'person' else 'address' end`
  const joined = write('joined', 'new', tellsOf('new'))
  const consented = write('consented', 'new', "'address'", `new.${consent} is not null`)
  const left = write('left', 'new', tellsOf('old', 'old.identity <> new.identity')) // a corrected address
  const bounced = write('bounced', 'new', tellsOf('old'))
  // Another person may get the number.
  const erased = `update webhook_events set tells = 'number' where subscriber = old.id; ${write('erased', 'old', "'number'")}`

  const becomes = (state: string) => `old.state <> new.state and new.state = '${state}'`
  const definitions = [
    ['insert', "new.state = 'active'", joined + consented], // one trigger, since of two either could be the first
    ['update of state', becomes('active'), joined],
    ['update of state', becomes('unsubscribed'), left],
    ['update of state', becomes('undeliverable'), bounced],
    [`update of ${consent}`, `old.${consent} is null`, consented],
    // A receiver that got the address must get the event that withdraws the consent.
    [
      `update of ${consent}`,
      `old.${consent} is not null and new.${consent} is null and old.state = new.state`,
      left,
    ],
    ['delete', 'true', erased],
  ] as const
  return new Map(
    definitions.map(([after, condition, statements]) => {
      const trigger = { after, when: `${condition} and ${isPerson(after)}`, statements }
      return [`webhook_${hash('sha256', JSON.stringify(trigger), 'hex').slice(0, 16)}`, trigger]
    }),
  )
}

/** The server and the doctor use addresses below .invalid (RFC 2606) for subscribers who do not exist. */
function isPerson(after: string): string {
  return `${after === 'delete' ? 'old' : 'new'}.identity not like '%.invalid'`
}
