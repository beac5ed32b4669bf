import { parseEmailAddress } from '#contract/email-address.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { deliveriesOf } from '../../deliveries/list-deliveries.ts'
import {
  type ChangeOutcome,
  correctAddress,
  erasePerson,
  hasMailOnItsWay,
  putBack,
  sendAgain,
  versionOf,
} from '../../subscribers/change-subscriber.ts'
import { exportSubscribers, toolNames } from '../../subscribers/export-subscribers.ts'
import type { SubscriberFilter } from '../../subscribers/list-subscribers.ts'
import {
  countOnTheList,
  countPeople,
  findPeople,
  newestMailTo,
} from '../../subscribers/search-subscribers.ts'
import { lastAct } from '../access/audit.ts'
import { type Call, Download, type Fields, Refused, type Routes } from '../call.ts'
import type { Person, PersonRow, Who } from '../contract.ts'
import { describeMails } from './mail.ts'

const dayMs = 24 * 60 * 60_000
const putBackMs = 10 * 60_000
const scrubPatienceMs = 1_500
const unsubscribed = 'person-unsubscribed'
const putBackAct = 'person-put-back'

export const peopleRoutes = {
  'POST people/search': {
    for: 'owner',
    async answer({ database: { query }, fields }) {
      const filter = readFilter(fields)
      const page = {
        below: fields.optional('below', fields.number),
        above: fields.optional('above', fields.number),
      }
      const found = await findPeople(query, filter, page)
      const ids = found.map(({ id }) => id)
      const [mails, matching, all] = await Promise.all([
        newestMailTo(query, ids),
        countPeople(query, filter, ids[0] ?? Number.MAX_SAFE_INTEGER),
        countOnTheList(query),
      ])
      return {
        people: found.map(({ signed_up_at, announcements_agreed_at, ...row }): PersonRow => {
          const mail = mails.get(row.id)
          return {
            ...row,
            wantsNews: announcements_agreed_at !== null,
            mail: mail ? { state: mail.state, at: mail.finished_at ?? mail.queued_at } : null,
            signedUpAt: signed_up_at,
          }
        }),
        ...matching,
        ...all,
      }
    },
  },
  'GET people/:id': { for: 'owner', answer: answerPerson },
  'POST people/:id/send-again': {
    for: 'owner',
    act: 'person-mailed-again',
    answer: async (call) =>
      answerChange(call, await sendAgain(call.database, call.id, call.fields.text('version'), newMail(call))),
  },
  'POST people/:id/correct': {
    for: 'owner',
    act: 'person-corrected',
    async answer(call) {
      const to = parseEmailAddress(call.fields.text('address'))
      if (!to) return new Refused('invalid', 'That is not an email address.')
      const wanted = { id: call.id, version: call.fields.text('version'), to, secret: call.secret }
      return answerChange(call, await correctAddress(call.database, wanted, newMail(call)))
    },
  },
  'POST people/:id/unsubscribe': {
    for: 'owner',
    act: unsubscribed,
    async answer(call) {
      const person = await personOfVersion(call)
      if (person instanceof Refused) return person
      const { left } = await leaveTheList(call.database, call.id, 'unsubscribed', call.now())
      return answerChange(call, left ? 'done' : 'impossible')
    },
  },
  'POST people/:id/put-back': {
    for: 'owner',
    act: putBackAct,
    async answer(call) {
      const person = await personOfVersion(call)
      if (person instanceof Refused) return person
      if (person.canPutBackUntil === null) return answerChange(call, 'impossible')
      return answerChange(call, await putBack(call.database, call.id, person.version))
    },
  },
  'POST people/:id/erase': {
    for: 'proved',
    act: 'person-erased',
    async answer(call) {
      const person = await personOfVersion(call)
      if (person instanceof Refused) return person
      return { isProved: await erasePerson(call.database, call.config, person, call.now(), scrubPatienceMs) }
    },
  },
  'POST export': { for: 'proved', act: 'people-exported', answer: exportPeople },
} satisfies Partial<Routes>

const who = {
  everyone: {},
  active: { state: 'active' },
  'wants-news': { state: 'active', isConsented: true },
  left: { state: 'unsubscribed' },
  undeliverable: { state: 'undeliverable' },
} as const satisfies Record<Who, SubscriberFilter>

/** Days are UTC. */
function readFilter(fields: Fields): SubscriberFilter {
  const [from, to] = [fields.optional('from', fields.day), fields.optional('to', fields.day)]
  const whoNames = Object.keys(who) as Who[] // they are its keys
  return {
    ...who[fields.optional('who', (name) => fields.oneOf(name, whoNames)) ?? 'everyone'],
    text: fields.optional('text', fields.text),
    since: from === undefined ? undefined : Date.parse(from),
    until: to === undefined ? undefined : Date.parse(to) + dayMs,
    campaign: fields.optional('campaign', fields.text),
  }
}

async function exportPeople({ database, fields, now, log }: Call): Promise<Download> {
  const tool = fields.oneOf('tool', ['csv', ...toolNames])
  const filter = { ...readFilter(fields), ...(fields.flag('consentedOnly') && who['wants-news']) }
  const pages = exportSubscribers(database.query, filter, tool)
  const name = `people-${tool}-${new Date(now()).toISOString().slice(0, 10)}.csv`
  return new Download(name, textOf(pages, log))
}

async function* textOf(pages: AsyncIterable<{ text: string }>, log: Call['log']): AsyncGenerator<string> {
  try {
    for await (const { text } of pages) yield text
  } catch (cause) {
    log.error('export from the desk broke off', { cause })
    throw cause
  }
}

async function answerPerson(call: Call): Promise<Person | Refused> {
  return (await readPerson(call)) ?? new Refused('not-found', 'This person was erased.')
}

async function readPerson(call: Call): Promise<Person | undefined> {
  const { database, id } = call
  const connection = database.query
  const row = await connection
    .selectFrom('subscribers')
    .leftJoin('wordings', 'wordings.hash', 'subscribers.wording')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const mails = await describeMails(connection, (await deliveriesOf(connection, id)).toReversed())
  const canPutBackUntil = row.state === 'unsubscribed' ? await putBackUntil(call, row.signed_up_at) : null
  const { hash, content } = row
  return {
    id,
    version: versionOf(row),
    address: row.address,
    state: row.state,
    wantsNews: row.announcements_agreed_at !== null,
    wantsNewsSince: row.announcements_agreed_at,
    form: row.form,
    campaign: row.campaign,
    language: row.language,
    wording: hash === null || content === null ? null : { hash, content },
    signedUpAt: row.signed_up_at,
    mails,
    canSendAgain: row.state === 'active' && !(await hasMailOnItsWay(connection, id)),
    canPutBackUntil,
  }
}

/** Null: it was not the owner who unsubscribed them since they signed up, or it is too late. */
async function putBackUntil(
  { database: { query }, id, act, now }: Call,
  signedUpAt: number,
): Promise<number | null> {
  const leftAt = await lastAct(query, unsubscribed, id, 0)
  const after = Math.max(signedUpAt, await lastAct(query, putBackAct, id, act))
  const until = leftAt > after ? leftAt + putBackMs : 0
  return now() < until ? until : null
}

/** For acts of which two at the same moment do no harm. */
async function personOfVersion(call: Call): Promise<Person | Refused> {
  const person = await answerPerson(call)
  if (person instanceof Refused || person.version === call.fields.text('version')) return person
  return answerChange(call, 'changed')
}

async function answerChange(call: Call, outcome: ChangeOutcome): Promise<Person | Refused> {
  if (outcome === 'done') call.wakeDeliveries()
  const now = await answerPerson(call)
  if (now instanceof Refused) return now
  switch (outcome) {
    case 'done':
      return now
    case 'gone':
      return new Refused('not-found', 'This person was erased.')
    case 'changed':
      return new Refused('changed', 'This was changed elsewhere.', { now })
    case 'impossible':
      return new Refused('impossible', 'This cannot be done as things stand now.', { now })
    case 'taken':
      return new Refused('impossible', 'That address is on the list already.', { now })
    case 'blocked':
      return new Refused('impossible', 'The holder of that inbox blocked our mail.', { now })
    default:
      return outcome satisfies never
  }
}

function newMail({ template, config, now }: Call) {
  return { template, domain: config.mailFrom.address.split('@')[1]!, now: now() }
}
