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
import {
  countOnTheList,
  countPeople,
  findPeople,
  type SubscriberFilter,
} from '../../subscribers/list-subscribers.ts'
import { lastAct } from '../access/audit.ts'
import { type Call, Refused, route, RawAnswer } from '../call.ts'
import { day, flag, number, oneOf, optional, type Sent, text } from '../fields.ts'
import { describeMails } from './mail.ts'

const erased = new Refused('not-found', 'This person was erased.')
const changed = 'This was changed elsewhere.'
const dayMs = 24 * 60 * 60_000
const putBackMs = 10 * 60_000
const scrubTimeoutMs = 1_500
const unsubscribed = 'person-unsubscribed'
const putBackAct = 'person-put-back'

type Person = NonNullable<Awaited<ReturnType<typeof readPerson>>>

const groups = {
  everyone: {},
  active: { state: 'active' },
  'wants-news': { state: 'active', isConsented: true },
  left: { state: 'unsubscribed' },
  undeliverable: { state: 'undeliverable' },
} as const satisfies Record<string, SubscriberFilter>
export type Who = keyof typeof groups

/** `from`, `to`: first and last day of sign-up. `campaign`: `none` stands for those without one. */
const pick = {
  who: optional(oneOf(Object.keys(groups) as Who[])), // they are its keys
  from: optional(day),
  to: optional(day),
  campaign: optional(text),
}
/** The version of the person that the owner saw, which each act names. */
const seen = { version: text }

export const peopleRoutes = {
  /** `below`: the number of the last person shown, for older ones. `above`: that of the first, for newer ones. */
  'POST people/search': route({
    for: 'owner',
    sent: { ...pick, text: optional(text), below: optional(number), above: optional(number) },
    async answer({ database: { query } }, { below, above, ...wanted }) {
      const filter = filterOf(wanted)
      const people = await findPeople(query, filter, { below, above })
      const newest = people[0]?.id ?? Number.MAX_SAFE_INTEGER
      const [matching, all] = await Promise.all([countPeople(query, filter, newest), countOnTheList(query)])
      return { people, ...matching, ...all }
    },
  }),
  'GET people/:id': route({
    for: 'owner',
    answer: async (call) => (await readPerson(call)) ?? erased,
  }),
  'POST people/:id/send-again': changeRoute('person-mailed-again', (call, { version }) =>
    sendAgain(call.database, call.id, version, newMail(call)),
  ),
  'POST people/:id/correct': route({
    for: 'owner',
    act: 'person-corrected',
    sent: { ...seen, address: text },
    async answer(call, { address, version }) {
      const to = parseEmailAddress(address)
      if (!to) return new Refused('invalid', 'That is not an email address.')
      const wanted = { id: call.id, version, to, secret: call.secret }
      return answerChange(call, await correctAddress(call.database, wanted, newMail(call)))
    },
  }),
  'POST people/:id/unsubscribe': changeRoute(unsubscribed, async ({ database, id, now }) => {
    const { left } = await leaveTheList(database, id, 'unsubscribed', now())
    return left ? 'done' : 'impossible'
  }),
  /** Undoes an unsubscription by the owner, until `canPutBackUntil`. */
  'POST people/:id/put-back': changeRoute(putBackAct, async ({ database, id, secret, now }, person) =>
    person.canPutBackUntil === null ? 'impossible' : putBack(database, id, person.version, secret, now()),
  ),
  /** `isProved` false: the last traces leave the database files within the hour. */
  'POST people/:id/erase': route({
    for: 'proved',
    act: 'person-erased',
    sent: seen,
    async answer(call, { version }) {
      const person = await readUnchanged(call, version)
      if (person instanceof Refused) return person
      return { isProved: await erasePerson(call.database, call.config, person, call.now(), scrubTimeoutMs) }
    },
  }),
  'POST export': route({
    for: 'proved',
    act: 'people-exported',
    sent: { ...pick, tool: oneOf(['csv', ...toolNames]), consentedOnly: flag },
    async answer({ database, now, log }, { tool, consentedOnly, ...wanted }) {
      // The chosen group counts: an export of those who left names nobody on the list.
      const filter = { ...(consentedOnly && groups['wants-news']), ...filterOf(wanted) }
      const pages = exportSubscribers(database.query, filter, tool)
      const name = `people-${tool}-${new Date(now()).toISOString().slice(0, 10)}.csv`
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      }
      return new RawAnswer({ status: 200, headers, body: '', stream: textOf(pages, log) })
    },
  }),
}

/** Two acts at the same time do no harm: those that change the row lock it, and compare the version again. */
function changeRoute(act: string, change: (call: Call, person: Person) => Promise<ChangeOutcome>) {
  return route({
    for: 'owner',
    act,
    sent: seen,
    async answer(call, { version }) {
      const person = await readUnchanged(call, version)
      return person instanceof Refused ? person : answerChange(call, await change(call, person))
    },
  })
}

function filterOf({
  who = 'everyone',
  from,
  to,
  ...others
}: Sent<typeof pick> & { text?: string }): SubscriberFilter {
  return {
    ...groups[who],
    ...others,
    since: from === undefined ? undefined : Date.parse(from),
    until: to === undefined ? undefined : Date.parse(to) + dayMs,
  }
}

async function* textOf(pages: AsyncIterable<{ text: string }>, log: Call['log']): AsyncGenerator<string> {
  try {
    for await (const page of pages) yield page.text
  } catch (cause) {
    log.error('export from the desk broke off', { cause })
    throw cause
  }
}

export async function readPerson(call: Call) {
  const { database, id } = call
  const connection = database.query
  const row = await connection
    .selectFrom('subscribers')
    .leftJoin('wordings', 'wordings.hash', 'subscribers.wording')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { address, state, form, campaign, language, hash, content } = row
  return {
    id,
    version: versionOf(row),
    address,
    state,
    form,
    campaign,
    language,
    wantsNewsSince: row.announcements_agreed_at,
    /** The words of the page where they signed up, as JSON. */
    wording: hash === null || content === null ? null : { hash, content },
    signedUpAt: row.signed_up_at,
    /** The newest first. */
    mails: await describeMails(connection, (await deliveriesOf(connection, id)).toReversed()),
    canSendAgain: state === 'active' && !(await hasMailOnItsWay(connection, id)),
    canPutBackUntil: state === 'unsubscribed' ? await putBackUntil(call, row.signed_up_at) : null,
  }
}

/** Returns until when an unsubscription by the owner can be undone. Null: there was none since the sign-up, or it is too late. */
async function putBackUntil({ database: { query }, id, act, now }: Call, signedUpAt: number) {
  const leftAt = await lastAct(query, unsubscribed, id, 0)
  const after = Math.max(signedUpAt, await lastAct(query, putBackAct, id, act))
  const until = leftAt > after ? leftAt + putBackMs : 0
  return now() < until ? until : null
}

/** Reads the person if it is as the owner saw it. */
async function readUnchanged(call: Call, version: string): Promise<Person | Refused> {
  const person = await readPerson(call)
  if (!person) return erased
  return person.version === version ? person : new Refused('changed', changed, { now: person })
}

async function answerChange(call: Call, outcome: ChangeOutcome) {
  if (outcome === 'done') call.wakeDeliveries()
  const now = await readPerson(call)
  if (!now || outcome === 'gone') return erased
  switch (outcome) {
    case 'done':
      return now
    case 'changed':
      return new Refused('changed', changed, { now })
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

function newMail({ template, config: { senderDomain }, now }: Call) {
  return { template, senderDomain, now: now() }
}
