import { expect, test } from 'vitest'
import { takenDesk } from '#rigs/owner/taken-desk.ts'
import { deskApp, deskBrowser, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import { makeLink } from './sign-in/secrets.ts'

const meant = 'mara@gmail.com'

test('an address that was a slip is corrected, and whoever reads the wrong inbox has nothing of it', async () => {
  const { app, desk } = await takenDesk()
  const { database, clock } = app
  const made = { now: clock.now(), provedAt: clock.now() }
  const elsewhere = deskBrowser(app, { headers: { origin: app.url } })
  await elsewhere.desk.signIn.byLink.mutate(await makeLink(database, made))
  const pending = await makeLink(database, made)
  await desk.you.changeOwner.mutate({ email: ` ${meant} ` })
  const { ownerEmail, browsers, audit } = await desk.you.show.query()
  expect({ ownerEmail, browsers: browsers.length }).toEqual({ ownerEmail: meant, browsers: 1 })
  expect(audit[0]).toMatchObject({ action: "Changed the owner's address", about: '' })
  expect(await refusalOf(elsewhere.desk.you.session.query())).toMatchObject({ status: 401 })
  expect(await refusalOf(elsewhere.desk.signIn.byLink.mutate(pending))).toMatchObject({
    status: 401,
  })
})

test('the next start knows the corrected address, and goes on with the session', async () => {
  const { app, browser, desk } = await takenDesk()
  await desk.you.changeOwner.mutate({ email: meant })
  const restarted = await deskApp({
    isHeldBack: true,
    config: { production: true, source: {}, ownerEmail: undefined },
    databaseUrl: app.databaseUrl,
  })
  const headers = { origin: restarted.url }
  const again = deskBrowser(restarted, { cookies: browser.cookies, headers })
  expect((await again.desk.you.show.query()).ownerEmail).toBe(meant)
})

test('what is no address is told at its field, and an address of the environment is not changed', async () => {
  const { desk } = await takenDesk()
  expect(await refusalOf(desk.you.changeOwner.mutate({ email: 'mara' }))).toMatchObject({
    field: 'email',
  })
  const fixed = await signedIn(
    await deskApp({ config: { source: { OWNER_EMAIL: 'owner@example.com' } } }),
  )
  expect(await refusalOf(fixed.desk.you.changeOwner.mutate({ email: meant }))).toMatchObject({
    field: 'email',
    message: 'The environment sets it: OWNER_EMAIL.',
  })
})
