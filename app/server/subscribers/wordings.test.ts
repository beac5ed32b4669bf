import { expect, test } from 'vitest'
import { attributionHeader } from '#contract/sign-up.ts'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'
import { brand } from '#content/brand.ts'
import { closingCall } from '#content/pages/landing-page.ts'
import { contentHash } from '../database/database.ts'
import { leaveTheList } from './leave-the-list.ts'

test('a sign-up is kept with its form, campaign, language, and the words of the page', async () => {
  const app = await testApp()
  await signUp(app, 'form=hero&campaign=newsletter')
  const kept = await row(app)
  expect(kept).toMatchObject({ form: 'hero', campaign: 'newsletter', language: brand.language })
  const wording = await app.database.query
    .selectFrom('wordings')
    .select('content')
    .where('hash', '=', kept.wording)
    .executeTakeFirstOrThrow()
  expect(contentHash(wording.content)).toBe(kept.wording)
  expect(wording.content).toContain(closingCall.promise)
})

test('a repeated sign-up keeps the first attribution, and one after leaving replaces it', async () => {
  const app = await testApp()
  await signUp(app, 'form=hero&campaign=first')
  await signUp(app, 'form=closing&campaign=second')
  expect(await row(app)).toMatchObject({ form: 'hero', campaign: 'first' })
  await leaveTheList(app.database, (await row(app)).id, 'unsubscribed', app.clock.now())
  await signUp(app, 'form=closing&campaign=second')
  expect(await row(app)).toMatchObject({ form: 'closing', campaign: 'second' })
})

function signUp(app: TestApp, attribution: string) {
  return app.signUp('ada@example.com', { [attributionHeader]: attribution })
}

function row({ database }: TestApp) {
  return database.query.selectFrom('subscribers').selectAll().executeTakeFirstOrThrow()
}
