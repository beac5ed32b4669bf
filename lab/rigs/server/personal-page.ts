import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { deliveryStates } from './rows.ts'
import { emptyExtension, linkOf, type TestApp, testApp } from './test-app.ts'

export const ada = 'ada@example.com'

/** An app where Ada has signed up and got her mail, with the link in it. */
export async function appWithSubscriber(headers: Record<string, string> = {}) {
  const app = await testApp()
  await app.signUp(ada, headers)
  await expect.poll(() => deliveryStates(app.database)).toEqual(['sent'])
  return { app, link: await linkOf(app, ada) }
}

/** Posts a plain form. */
export function post(
  app: TestApp,
  url: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.inject({
    method: 'POST',
    url,
    headers: { ...type, ...headers },
    payload: String(new URLSearchParams(fields)),
  })
}

/** An app with an owner's ring that only listens. */
export async function appThatTells() {
  const events: string[] = []
  const recordEvent = () => async (_transaction: unknown, event: string) => void events.push(event)
  const app = await testApp({
    extension: { ...emptyExtension, recordEvent },
  })
  return { app, events }
}

/** The consent of the only subscriber. */
export function consent({ database }: TestApp) {
  return database.row(sql`
    select announcements_agreed_at, announcements_wording, announcements_refused_at from subscribers`)
}
