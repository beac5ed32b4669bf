import { expect, test } from 'vitest'
import { deskApp, deskBrowser, signedIn } from '#rigs/owner/test-desk.ts'
import { bytesRoutes } from './api-routes.ts'
import { deskRouter } from './router.ts'
import type { Guard } from '#owner/acts/guard.ts'

/** A call that is not here has no decision yet: may it mail people, move mail, or give access? */
const expected: Record<Guard, string[]> = {
  anyone: [
    'signIn.byCode',
    'signIn.byLink',
    'signIn.byPasskey',
    'signIn.byStartLink',
    'signIn.mailCode',
    'signIn.passkeyOptions',
    'signIn.show',
  ],
  owner: [
    'address.show',
    'conditions.openPage',
    'conditions.pasteHeaders',
    'conditions.startCheckUp',
    'conditions.webhookEvents',
    'import.header',
    'import.undoable',
    'jobs.show',
    'jobs.stop',
    'mail.list',
    'mail.show',
    'mailService.show',
    'mailings.add',
    'mailings.addPicture',
    'mailings.audience',
    'mailings.campaigns',
    'mailings.cancel',
    'mailings.copy',
    'mailings.list',
    'mailings.missing',
    'mailings.one',
    'mailings.pause',
    'mailings.restore',
    'mailings.save',
    'mailings.test',
    'page.files.drawn',
    'page.files.putBack',
    'page.files.read',
    'page.files.setVersion',
    'page.files.takeOurs',
    'page.preview',
    'page.save',
    'page.show',
    'page.versions.bringBack',
    'page.versions.changes',
    'page.versions.list',
    'people.countExported',
    'people.countFound',
    'people.onTheList',
    'people.search',
    'people.show',
    'people.unsubscribe',
    'today.figures',
    'today.state',
    'you.session',
    'you.show',
    'you.signOut',
    'you.signOutBrowser',
    'you.signOutEverywhere',
    'GET /page-as-file',
    'POST /import-file',
    'POST /page-as-file',
    'POST /page-file',
    'POST /suppress-file',
  ],
  proof: [
    'address.save',
    'import.addPerson',
    'import.undo',
    'mail.retry',
    'mail.retryHopeful',
    'mailService.save',
    'mailService.test',
    'mailings.resume',
    'mailings.saveLive',
    'mailings.send',
    'mailings.switchWarmUp',
    'page.publish',
    'people.correct',
    'people.erase',
    'people.putBack',
    'people.sendAgain',
    'you.addPasskey',
    'you.changeOwner',
    'you.passkeyOptions',
    'you.removePasskey',
    'POST /export',
    'POST /start-import',
    'POST /start-suppress',
  ],
}

// The router keeps all procedures flat by their paths, and each has what procedures.ts gives it.
// oxlint-disable-next-line no-underscore-dangle -- the library's name
const procedures = deskRouter._def.procedures as unknown as Record<
  string,
  { _def: { meta: { guard: Guard } } }
>

test('each call of the desk, and each route of bytes, has this guard', () => {
  const calls = Object.entries(procedures).map(([name, { _def }]) => ({ name, ..._def.meta }))
  const routes = bytesRoutes.map(({ method, url, guard }) => ({ name: `${method} ${url}`, guard }))
  const all = [...calls.toSorted(byName), ...routes.toSorted(byName)]
  const namesOf = (guard: Guard) => all.filter((one) => one.guard === guard).map((one) => one.name)
  expect({ anyone: namesOf('anyone'), owner: namesOf('owner'), proof: namesOf('proof') }).toEqual(
    expected,
  )
})

test('a stranger reaches signing in alone, and a session of 15 minutes ago nothing that needs a proof', async () => {
  const app = await deskApp()
  const owner = await signedIn(app)
  const stranger = deskBrowser(app)
  app.clock.advance(15 * 60_000)
  for (const name of [...expected.owner, ...expected.proof]) {
    expect([name, await statusOf(stranger, name)]).toEqual([name, 401])
  }
  for (const name of expected.proof) {
    expect([name, await statusOf(owner, name)]).toEqual([name, 403])
  }
})

/** `name`: of a call, or method and path of a route. */
async function statusOf({ send }: ReturnType<typeof deskBrowser>, name: string): Promise<number> {
  const [path = '', method = 'POST'] = name.split(' /').toReversed()
  const headers = { 'content-type': 'application/json' }
  const body = method === 'POST' ? '{}' : null
  return (await send(`/desk/api/${path}`, { method, headers, body })).status
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1
}
