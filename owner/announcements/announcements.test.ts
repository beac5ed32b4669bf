import { beforeEach, describe, expect, test } from 'vitest'
import { makeOwnerMail } from '#rigs/owner/test-owner-mail.ts'
import { accepted, permanent, relayAway } from '#rigs/mail/programmable-mailer.ts'
import { makeTestDeliveries } from '#rigs/server/test-deliveries.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { eraseSubscribers } from '#server/subscribers/erase-subscribers.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { claimResends, enrol } from '#server/subscribers/subscribers.ts'
import {
  type Audience,
  cancelAnnouncement,
  pauseAnnouncement,
  readAnnouncement,
  resumeAnnouncement,
  startAnnouncement,
} from './announcements.ts'
import { markBounced } from '../deliveries/bounces/mark-bounced.ts'
import { queueRecipients } from './queue-recipients.ts'
import { releaseMail, reportPauses } from './release-mail.ts'

const release = { version: '1.1.0', date: '2026-01-04', changes: ['It is faster.'] }
const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const template = {
  subject: 's',
  html: 'h',
  text: '{{announcementsUrl}}',
  from: 'a@b.co',
  replyTo: 'a@b.co',
  publicUrl: 'u',
}

type List = Awaited<ReturnType<typeof makeTestDeliveries>>
let list: List
beforeEach(async () => {
  list = await makeTestDeliveries()
})

describe('the recipients of an announcement', () => {
  test('are those on the list who asked for it, each once', async () => {
    await signUp(['asked@example.com', 'left@example.com'], { asked: true })
    await signUp(['never@example.com'])
    await leaveTheList(list.database, await idOf('left@example.com'), 'unsubscribed', list.start)
    await announce('consented')
    await announce('consented')
    expect(await recipients()).toEqual(['asked@example.com'])
  })

  test('are all but those who turned announcements off, with --to everyone; after --to consented only the rest', async () => {
    await signUp(['asked@example.com'], { asked: true })
    await signUp(['never@example.com', 'refused@example.com'])
    await switchAnnouncements(list.query, await idOf('refused@example.com'), 'off', list.start)
    await announce('consented')
    const [{ id: first } = { id: 0 }] = await deliveries()
    expect(await announce('everyone')).toBe('widened')
    expect(await recipients()).toEqual(['asked@example.com', 'never@example.com'])
    expect((await deliveries())[0]?.id).toBe(first)
    expect(await announce('consented')).toBe('continued')
    expect(await figures()).toMatchObject({ to: 'everyone', audience: 2, waiting: 2 })
  })

  test('exclude people who signed up after the day of the release (UTC), or before --since', async () => {
    const endOfDay = Date.UTC(2026, 0, 5)
    await signUp(['last@example.com'], { asked: true, at: endOfDay - 1 })
    await signUp(['later@example.com'], { asked: true, at: endOfDay })
    await signUp(['earlier@example.com'], { asked: true, at: endOfDay - 2 * dayMs })
    await announce('consented', { signedUpFrom: endOfDay - dayMs })
    expect(await recipients()).toEqual(['last@example.com'])
  })

  test('are queued page by page: after a kill between two pages a second run queues exactly the rest', async () => {
    const names = Array.from({ length: 1_200 }, (_, index) => `n${index}@example.com`)
    await signUp(names, { asked: true })
    const { id } = await startAnnouncement(list.database, order('consented'), list.start)
    const killed = queueRecipients(list.database, id, queueing(), () => {
      throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
    expect(await figures()).toMatchObject({ audience: 1_200, waiting: 1_200 })
    await Promise.all([announce('consented'), queueRecipients(list.database, id, queueing())])
    expect((await recipients()).toSorted()).toEqual(names.toSorted())
  })
})

describe('an announcement that is sent', () => {
  test('goes to nobody who turned it off or left after the mail was queued, and its figures add up', async () => {
    const names = ['sent', 'refuses', 'leaves', 'erased', 'fails', 'withdrawn'].map(
      (name) => `${name}@example.com`,
    )
    await signUp(names, { asked: true })
    await announce('consented')
    await switchAnnouncements(list.query, await idOf('refuses@example.com'), 'off', list.start)
    expect(await figures()).toMatchObject({ waiting: 5, leftSince: 1 })
    await leaveTheList(list.database, await idOf('leaves@example.com'), 'unsubscribed', list.start)
    await eraseSubscribers(list.database, [await idOf('erased@example.com')], list.start)
    await releaseAll()
    // After the claim only the check before each send is left.
    list.mailer.answer(async (address) => {
      await withdraw('withdrawn@example.com')
      return address === 'fails@example.com' ? permanent : accepted
    })
    await list.deliverAll()
    expect(list.mailer.addresses()).toEqual(['fails@example.com', 'sent@example.com'])
    expect(await figures()).toMatchObject({ audience: 6, sent: 1, waiting: 0, failed: 1, leftSince: 4 })
  })

  test('starts with 100 in the first hour and doubles while little comes back', async () => {
    await signUp(many(400), { asked: true })
    await announce('consented')
    const byHour: number[] = []
    for (let hour = 0; hour < 3; hour += 1) {
      const at = list.start + hour * hourMs
      list.at(hour * hourMs)
      for (const minute of [0, 1, 59])
        await releaseMail(list.database, await announcementId(), at + minute * 60_000)
      byHour.push(await sendDue(at))
    }
    expect(byHour).toEqual([100, 200, 100])
    await releaseMail(list.database, await announcementId(), list.start + 5 * hourMs)
    expect(await figures()).toMatchObject({ state: 'done', sent: 400 })
  })

  test('does not double while the relay accepts no mail', async () => {
    await signUp(many(900), { asked: true })
    await announce('consented')
    for (const hour of [0, 1, 2])
      await releaseMail(list.database, await announcementId(), list.start + hour * hourMs)
    expect(await figures()).toMatchObject({ state: 'running', allowance: 100, sent: 0 })
  })

  test('keeps to --per-hour, also when several instances release at the same moment', async () => {
    await signUp(many(20), { asked: true })
    await announce('consented', { perHour: 7 })
    const id = await announcementId()
    await Promise.all([1, 2, 3].map(() => releaseMail(list.database, id, list.start)))
    expect(await due(list.start)).toBe(7)
    await releaseMail(list.database, id, list.start + hourMs - 1)
    expect(await due(list.start + hourMs)).toBe(7)
    await releaseMail(list.database, id, list.start + hourMs)
    expect(await due(list.start + hourMs)).toBe(14)
  })

  test('pauses above 2 % returned mail, with the reason, and resumes slowly with new figures', async () => {
    await signUp(many(400), { asked: true })
    await announce('consented')
    await releaseAll()
    await sendDue(list.start, 3)
    await releaseMail(list.database, await announcementId(), list.start + hourMs)
    expect(await figures()).toMatchObject({
      state: 'paused-automatically',
      pausedWhy: '3 of the last 100 failed or came back',
      sent: 97,
      failed: 3,
      waiting: 300,
    })
    expect(await due(list.start + hourMs)).toBe(0)
    list.at(2 * hourMs)
    expect(await resumeAnnouncement(list.database, '1.1.0', list.start + 2 * hourMs)).toBe(true)
    await releaseMail(list.database, await announcementId(), list.start + 2 * hourMs)
    expect(await due(list.start + 2 * hourMs)).toBe(100)
  })

  test('does not double after 2 % returned, and one bad address among the first does not pause it', async () => {
    await signUp(many(400), { asked: true })
    await announce('consented')
    await releaseAll()
    await sendDue(list.start, 2)
    await releaseMail(list.database, await announcementId(), list.start + hourMs)
    expect(await figures()).toMatchObject({ state: 'running', allowance: 100 })
  })

  test('pauses above 0.1 % complaints', async () => {
    await signUp(many(200), { asked: true })
    await announce('consented')
    await releaseAll()
    await sendDue(list.start)
    await markBounced(list.database, [{ identity: 'n0@example.com', isComplaint: true }], list.start)
    await releaseMail(list.database, await announcementId(), list.start + hourMs)
    expect((await figures()).pausedWhy).toBe('1 of 100 were called spam')
  })

  test('keeps its hour when the owner pauses and resumes it', async () => {
    await signUp(many(30), { asked: true })
    await announce('consented', { perHour: 20 })
    await releaseAll()
    expect(await pauseAnnouncement(list.database, '1.1.0', list.start)).toBe(true)
    expect(await due(list.start)).toBe(0)
    await releaseAll()
    expect(await due(list.start)).toBe(0)
    expect(await figures()).toMatchObject({ state: 'paused', waiting: 30 })
    expect(await pauseAnnouncement(list.database, '1.1.0', list.start)).toBe(false)
    expect(await resumeAnnouncement(list.database, '1.1.0', list.start)).toBe(true)
    await releaseAll()
    expect(await due(list.start)).toBe(20)
  })

  test('keeps to its hourly limit after a pause, also if mail of the hour before was still unsent', async () => {
    await signUp(many(60), { asked: true })
    await announce('consented', { perHour: 20 })
    const later = list.start + hourMs
    await releaseAll()
    await releaseMail(list.database, await announcementId(), later)
    expect(await due(later)).toBe(40)
    await pauseAnnouncement(list.database, '1.1.0', later)
    await resumeAnnouncement(list.database, '1.1.0', later)
    await releaseMail(list.database, await announcementId(), later)
    expect(await due(later)).toBe(20)
  })

  test('ends when it is cancelled: the rest is not sent, and it cannot start again', async () => {
    await signUp(many(30), { asked: true })
    await announce('consented', { perHour: 20 })
    await releaseAll()
    expect(await sendDue(list.start)).toBe(20)
    expect(await cancelAnnouncement(list.database, '1.1.0')).toBe(true)
    expect(await figures()).toMatchObject({
      state: 'cancelled',
      audience: 20,
      sent: 20,
      waiting: 0,
      leftSince: 0,
    })
    expect(await announce('everyone')).toBe('cancelled')
    expect(await deliveries()).toHaveLength(20)
  })
})

test('a sign-up gets its mail again while an announcement to the same address waits', async () => {
  await signUp(['asked@example.com'], { asked: true })
  await announce('consented')
  expect(await claimResends(list.query, ['asked@example.com'], list.start, list.start + 1)).toHaveLength(1)
})

test('the owner is mailed once about an automatic pause, also when the relay is away at first', async () => {
  const owner = await makeOwnerMail()
  list = { ...list, database: owner.database, query: owner.database.query }
  await signUp(['asked@example.com'], { asked: true })
  await announce('consented')
  await list.query
    .updateTable('announcements')
    .set({ state: 'paused', paused_why: '3 of the last 100 failed or came back', paused_at: 7 })
    .execute()
  owner.mailer.answer(() => relayAway)
  await reportPauses(owner.deps)
  owner.mailer.answer(() => accepted)
  await reportPauses(owner.deps)
  await reportPauses(owner.deps)
  expect(owner.subjects()).toHaveLength(2)
  expect(owner.subjects()[1]).toContain('the announcement of 1.1.0 has paused')
  expect(owner.texts()[1]).toContain('3 of the last 100 failed or came back')
  expect(owner.texts()[1]).toContain('announce resume 1.1.0')
})

async function signUp(names: readonly string[], { asked = false, at = list.start - dayMs } = {}) {
  const people = names.map((name) => ({ identity: name, address: name, abuse_key: null }))
  await enrol(list.query, people, at)
  if (!asked) return
  await list.query
    .updateTable('subscribers')
    .set({ announcements_agreed_at: at })
    .where('identity', 'in', names)
    .execute()
}

function many(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `n${index}@example.com`)
}

function order(to: Audience, more: { signedUpFrom?: number; perHour?: number } = {}) {
  return { release, to, template, ...more }
}

function queueing() {
  return { senderDomain: 'bot.example', now: () => list.start }
}

async function announce(to: Audience, more: { signedUpFrom?: number; perHour?: number } = {}) {
  const { kind, id } = await startAnnouncement(list.database, order(to, more), list.start)
  await queueRecipients(list.database, id, queueing())
  return kind
}

async function releaseAll() {
  await releaseMail(list.database, await announcementId(), list.start)
}

/** Sends what is due; the first `failing` fail. */
async function sendDue(at: number, failing = 0): Promise<number> {
  const before = list.mailer.addresses().length
  list.mailer.answer(() => (list.mailer.addresses().length - before <= failing ? permanent : accepted))
  while ((await due(at)) > 0) await list.deliverAll()
  return list.mailer.addresses().length - before
}

async function withdraw(name: string) {
  const off = { announcements_agreed_at: null, announcements_refused_at: 1 }
  await list.query.updateTable('subscribers').set(off).where('identity', '=', name).execute()
}

async function due(at: number): Promise<number> {
  const waiting = (await deliveries()).filter(({ state, due_at }) => state === 'queued' && due_at <= at)
  return waiting.length
}

function deliveries() {
  return list.query.selectFrom('deliveries').selectAll().orderBy('id').execute()
}

async function recipients() {
  const rows = await list.query
    .selectFrom('deliveries')
    .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber')
    .select('address')
    .where('announcement', 'is not', null)
    .orderBy('deliveries.id')
    .execute()
  return rows.map(({ address }) => address)
}

async function idOf(identity: string): Promise<number> {
  const row = list.query.selectFrom('subscribers').select('id').where('identity', '=', identity)
  return (await row.executeTakeFirstOrThrow()).id
}

async function announcementId(): Promise<number> {
  return (await list.query.selectFrom('announcements').select('id').executeTakeFirstOrThrow()).id
}

async function figures() {
  const found = (await readAnnouncement(list.query, '1.1.0'))!
  expect(found.sent + found.waiting + found.failed + found.leftSince).toBe(found.audience)
  return found
}
