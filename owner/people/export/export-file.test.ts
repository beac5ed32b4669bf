import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { deskApp, deskBrowser, signedIn } from '#rigs/owner/test-desk.ts'
import { newSubscriber } from '#rigs/server/test-app.ts'
import type { exportWish } from './export-file.ts'

const everything: z.infer<typeof exportWish> = {
  text: '',
  who: 'everyone',
  days: '',
  campaign: '',
  tool: 'csv',
  consentedOnly: false,
}

function exportOf({ send }: ReturnType<typeof deskBrowser>, wish: object) {
  const headers = { 'content-type': 'application/json' }
  return send('/desk/api/export', { method: 'POST', headers, body: JSON.stringify(wish) })
}

test('the export is a file of everyone who matches', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const { address, id } = await newSubscriber(app)
  await newSubscriber(app)
  const answer = await exportOf(browser, everything)
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="people-csv-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await answer.text()).trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^email,state/)
  expect(lines).toHaveLength(3)

  await app.database.transaction((transaction) =>
    transaction.run(sql`update subscribers set announcements_agreed_at = 1 where id = ${id}`),
  )
  const wish = { ...everything, tool: 'mailerlite', consentedOnly: true }
  expect(await (await exportOf(browser, wish)).text()).toBe(`Email\r\n${address}\r\n`)
  expect(await (await exportOf(browser, { ...wish, text: `not-${address}` })).text()).toBe(
    'Email\r\n',
  )
})

test('the export has active people only, unless their state is chosen, and as many as were announced', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  await newSubscriber(app)
  const { address, id } = await newSubscriber(app)
  await app.database.transaction((transaction) =>
    transaction.run(sql`update subscribers set state = 'unsubscribed' where id = ${id}`),
  )
  const rows = async (wish: typeof everything) => {
    const text = await (await exportOf(browser, wish)).text()
    const lines = text.trimEnd().split('\r\n').slice(1)
    expect(await browser.desk.people.countExported.query(wish)).toBe(lines.length)
    return lines
  }
  expect((await rows(everything)).join()).not.toContain(address)
  const left = { ...everything, who: 'unsubscribed' as const, tool: 'mailerlite' as const }
  expect(await rows(left)).toEqual([`${address},unsubscribed`])
})

test('an export needs a fresh proof, and is in the audit', async () => {
  const app = await deskApp()
  expect((await exportOf(deskBrowser(app), everything)).status).toBe(401)
  const browser = await signedIn(app)
  app.clock.advance(15 * 60_000)
  expect((await exportOf(browser, everything)).status).toBe(403)
  await browser.signIn()
  expect((await exportOf(browser, everything)).status).toBe(200)
  expect((await browser.desk.you.show.query()).audit[0]).toMatchObject({
    action: 'Exported people',
  })
})

test('an export during which the database fails breaks off instead of looking complete', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  await newSubscriber(app)
  app.takeDatabaseAway('from subscribers', 1) // after the first page
  const reading = exportOf(browser, everything).then((answer) => answer.text())
  await expect(reading).rejects.toThrow()
})
