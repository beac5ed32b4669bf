import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { renderAnnouncement as renderEmail } from '#mail/announcement.tsx'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { openOwnerTerminal, ownerNow } from '#rigs/owner/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { enrol } from '#server/subscribers/subscribers.ts'
import { hoursFor } from './slow-start.ts'

// ownerNow is on 2 January.
const release = { version: '1.2.0', date: '2026-01-02', changes: ['A `stop`, off by default.'] }

test('announce --dry-run shows recipients, duration and mail, and changes nothing', async () => {
  const { owner, database } = await terminal()
  const { code, printed } = await owner('announce', '1.2.0', '--to', 'consented', '--dry-run')
  expect(code).toBe(0)
  expect(printed).toMatch(/^Would be mailed \(--to consented\) +2$/m)
  expect(printed).toMatch(/^Never asked +1$/m)
  expect(printed).toMatch(/^Left the list +1$/m)
  expect(printed).toMatch(/^Takes, at least +1 hour$/m)
  expect(printed).toContain('Version 1.2.0 is out.')
  expect(printed).toContain('A stop, off by default.')
  expect(printed).toMatch(/^http:\/\/localhost:3000\/kit\/TOKEN\/announcements$/m)
  expect(printed).not.toContain('{{')
  expect(printed).toMatch(/\S\n$/)
  expect(await database.query.selectFrom('announcements').selectAll().execute()).toEqual([])
  const { printed: json } = await owner('announce', '1.2.0', '--to', 'everyone', '--dry-run', '--json')
  expect(JSON.parse(json)).toMatchObject({
    audience: 3,
    people: { asked: 2, neverAsked: 1, left: 1 },
    hours: 1,
  })
})

test('announcing queues one delivery per recipient, and status adds up; a second run changes nothing', async () => {
  const { owner } = await terminal()
  for (const turn of ['first', 'second']) {
    const { code, printed } = await owner('announce', '1.2.0', '--to', 'consented', '--json')
    expect(code, turn).toBe(0)
    expect(JSON.parse(printed), turn).toMatchObject({ audience: 2, waiting: 2, state: 'running' })
  }
  const { printed } = await owner('announce', 'status', '1.2.0')
  expect(printed).toMatch(/^1\.2\.0 +consented +running +2 +0 +2 +0 +0$/m)
  expect(JSON.parse((await owner('announce', 'status', '--json')).printed)).toHaveLength(1)
})

test('announce pause, resume and cancel print what they did, or why they did nothing', async () => {
  const { owner } = await terminal()
  expect(await owner('announce', 'pause', '1.2.0')).toMatchObject({
    code: 1,
    aside: '1.2.0 was not announced.\n',
  })
  await owner('announce', '1.2.0', '--to', 'consented')
  for (const [name, said] of [
    ['pause', 'paused'],
    ['resume', 'going on'],
    ['cancel', 'cancelled'],
  ] as const) {
    const { code, printed } = await owner('announce', name, '1.2.0')
    expect([code, printed]).toEqual([0, expect.stringContaining(`1.2.0 is ${said}`)])
  }
  expect(await owner('announce', 'resume', '1.2.0')).toMatchObject({
    code: 1,
    aside: '1.2.0 is cancelled.\n',
  })
  expect(await owner('announce', '1.2.0', '--to', 'everyone')).toMatchObject({ code: 1 })
})

test.each([
  ['without an audience', ['1.2.0']],
  ['without an audience, as a test', ['1.2.0', '--test', 'me@example.com']],
  ['for an audience that does not exist', ['1.2.0', '--to', 'all']],
  ['at 0 mails an hour', ['1.2.0', '--to', 'consented', '--per-hour', '0']],
  ['to an invalid test address', ['1.2.0', '--to', 'consented', '--test', 'me']],
  ['without a version', ['--to', 'consented']],
])('announcing %s is a usage error', async (_what, words) => {
  const { owner } = await terminal()
  expect(await owner('announce', ...words)).toMatchObject({ code: 2, printed: '' })
})

test('only the version of the kit can be announced, and the help says what the law asks', async () => {
  const { owner } = await terminal()
  const { code, aside } = await owner('announce', '1.1.0', '--to', 'everyone')
  expect([code, aside]).toEqual([1, expect.stringContaining('The kit has version 1.2.0')])
  expect((await owner('announce', '--help')).printed).toContain('needs consent')
  expect((await owner('--help')).printed).toMatch(/^ {2}announce VERSION .*\n(?:.*\n)* {2}announce status /m)
})

test('announcing in a terminal asks for confirmation', async () => {
  for (const [answer, code] of [
    ['yes', 0],
    ['no', 1],
    [undefined, 1],
  ] as const) {
    const { owner } = await terminal({ ask: async () => answer })
    expect((await owner('announce', '1.2.0', '--to', 'consented')).code).toBe(code)
  }
})

test('announce --test sends the mail to one address only, with one-click unsubscribe from announcements', async () => {
  const inbox = await startSmtpInbox()
  const { owner, database } = await terminal({}, { SMTP_URL: inbox.url })
  expect((await owner('announce', '1.2.0', '--to', 'everyone', '--test', 'me@example.com')).code).toBe(0)
  const [received] = await inbox.arrival(1, 'me@example.com')
  const mail = await PostalMime.parse(received!.raw)
  expect(mail.subject).toBe('Version 1.2.0 of your starter kit')
  expect(received!.raw.toString()).toMatch(/^List-Unsubscribe:\s+<\S+\/kit\/[\w-]{22}\/announcements>\r?$/m)
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain('we sent the starter kit to me@example.com')
    expect(part).not.toMatch(/\{\{|undefined/)
  }
  expect(await database.query.selectFrom('deliveries').selectAll().execute()).toEqual([])
  await inbox.close()
})

test('the duration of an announcement follows the slow start, --per-hour and the ceiling of the site', () => {
  expect([0, 100, 101, 300, 301].map((mails) => hoursFor(mails, undefined, Infinity))).toEqual([
    0, 1, 2, 2, 3,
  ])
  expect(hoursFor(1_000, 100, Infinity)).toBe(10)
  expect(hoursFor(1_500, undefined, 200)).toBe(8)
  expect(hoursFor(1, undefined, 0)).toBe(Infinity)
})

/** Two people who asked for it, one who did not, and one who left. */
async function terminal(outside = {}, environment = {}) {
  const opened = await openOwnerTerminal(environment, { folder: projectFolder(), ...outside })
  const { query } = opened.database
  const people = ['a', 'b', 'c', 'd'].map((name) => `${name}@example.com`)
  const rows = await enrol(
    query,
    people.map((one) => ({ identity: one, address: one, abuse_key: null })),
    ownerNow,
  )
  for (const { id, identity } of rows) {
    if (identity < 'c') await switchAnnouncements(query, id, 'on', ownerNow)
    if (identity > 'd') await leaveTheList(opened.database, id, 'unsubscribed', ownerNow)
  }
  return opened
}

function projectFolder(): string {
  const folder = temporaryFolder()
  for (const name of ['kit', 'email']) mkdirSync(join(folder, 'dist', name), { recursive: true })
  writeFileSync(join(folder, 'dist/kit/releases.json'), JSON.stringify([release]))
  writeFileSync(join(folder, 'dist/email/announcement.json'), JSON.stringify(renderEmail(release)))
  return folder
}
