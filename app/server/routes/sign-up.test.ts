import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { eventually } from '#rigs/eventually.ts'
import { testApp } from '#rigs/server/test-app.ts'

test('a sign-up is stored, answered and mailed', async () => {
  const app = await testApp()
  const answer = await app.signUp('ada@example.com')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ success: true, alreadyExists: false })
  expect(await app.database.rows(sql`select identity from subscribers`)).toEqual([
    { identity: 'ada@example.com' },
  ])
  await eventually('the mail was sent', () => app.mailer.addresses().length === 1)
  expect((await app.inject('/healthz')).statusCode).toBe(200)
})
